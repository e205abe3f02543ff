import type { Instructor } from '../../contracts/schema';

/** An instructor on the page of a course; the name leads to the instructor's own page. */
export function InstructorCard({ instructor }: { instructor: Instructor }) {
  const { name, title, bio, href } = instructor;
  return (
    <article className="instructor">
      <Portrait {...instructor} />
      <div>
        <h3 dir="auto">{href ? <a href={href}>{name}</a> : name}</h3>
        {title && <p className="muted">{title}</p>}
        {bio && <p className="instructor__bio">{bio}</p>}
      </div>
    </article>
  );
}

type PortraitProps = Pick<Instructor, 'name' | 'picture'> & { isFirst?: boolean };

/** The picture of an instructor, else their initials. `isFirst`: it is seen when the page opens. */
export function Portrait({ name, picture, isFirst = false }: PortraitProps) {
  return picture ? (
    <img
      className="instructor__picture"
      {...picture}
      alt={picture.alt}
      loading={isFirst ? 'eager' : 'lazy'}
    />
  ) : (
    <span className="instructor__initials" aria-hidden="true">
      {initialsOf(name)}
    </span>
  );
}

/** First letters of the first and the last name, whole characters also outside the basic plane. */
export function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/);
  const picked = words.length > 1 ? [words[0], words[words.length - 1]] : words;
  return picked.map((word) => Array.from(word ?? '')[0] ?? '').join('');
}
