const LISTS = ['Courses', 'Materials', 'Notes', 'Certificates', 'Orders'];

/** The whole lists of the learner. `current`: the one on screen. */
export function LearningNav({ current }: { current?: string }) {
  return (
    <nav className="learning-nav" aria-label="My learning">
      {LISTS.map((text) => {
        const list = text.toLowerCase();
        return (
          <a
            key={list}
            href={`/user-dashboard?list=${list}`}
            aria-current={list === current ? 'page' : undefined}
          >
            {text}
          </a>
        );
      })}
    </nav>
  );
}
