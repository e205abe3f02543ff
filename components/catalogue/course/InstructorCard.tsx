import type { Instructor } from '../../contracts/schema';

export function InstructorCard({ instructor }: { instructor: Instructor }) {
  const { picture } = instructor;
  return (
    <article className="instructor">
      {picture ? (
        <img className="instructor__picture" {...picture} alt={picture.alt} loading="lazy" />
      ) : (
        <span className="instructor__initials" aria-hidden="true">
          {initialsOf(instructor.name)}
        </span>
      )}
      <div>
        <h3>{instructor.name}</h3>
        {instructor.title && <p className="muted">{instructor.title}</p>}
        {instructor.bio && <p className="instructor__bio">{instructor.bio}</p>}
      </div>
    </article>
  );
}

/** First letters of the first and the last name, whole characters also outside the basic plane. */
export function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/);
  const picked = words.length > 1 ? [words[0], words[words.length - 1]] : words;
  return picked.map((word) => Array.from(word ?? '')[0] ?? '').join('');
}
