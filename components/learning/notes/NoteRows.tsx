import { useSite } from '../../api/site';
import type { NoteInList } from '../../contracts/schema';
import { formatOf } from '../../format/format';

type NoteRowsProps = {
  notes: NoteInList[];
  heading: 'h2' | 'h3';
  /** The lessons cannot be opened any more, and all notes are of one course. */
  isOver?: boolean;
};

/** Notes of the learner, each with the lesson it was written in. */
export function NoteRows({ notes, heading: Heading, isOver = false }: NoteRowsProps) {
  const format = formatOf(useSite());
  return (
    <ul className="note-rows stack">
      {notes.map(({ lesson, body, updatedAt, course, link }) => (
        <li className="note-row panel" key={lesson}>
          <Heading className="heading-s note-row__title">
            {isOver ? link.name : <a href={link.href}>{link.name}</a>}
          </Heading>
          <p className="hint">
            {!isOver && (
              <>
                <a href={course.href}>{course.name}</a>
                {' · '}
              </>
            )}
            {updatedAt && format.date(updatedAt)}
          </p>
          <p className="note-row__text">{body}</p>
        </li>
      ))}
    </ul>
  );
}
