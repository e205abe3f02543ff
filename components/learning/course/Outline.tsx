import { useSite } from '../../api/site';
import type { OutlineSection } from '../../contracts/schema';
import { formatOf } from '../../format/format';
import { OutlineRow } from './OutlineRow';

type OutlineProps = {
  course: { learnHref: string };
  sections: OutlineSection[];
  /** The lesson on screen. */
  currentId?: number;
  /** The lesson to go on with. */
  nextId?: number | undefined;
  /** On a page of its own, not beside a lesson. */
  isWide?: boolean;
};

/** The lessons of a course, by sections, with what is done. */
export function Outline({ course, sections, currentId, nextId, isWide = false }: OutlineProps) {
  const { count } = formatOf(useSite());
  const Title = isWide ? 'h3' : 'p';
  return (
    <ol className={isWide ? 'outline stack outline--wide' : 'outline stack'}>
      {sections.map(({ title, lessons }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: sections have no id, and two may have one title
        <li key={index} className="outline__section">
          {title && (
            <div className="outline__head row">
              <Title className="outline__title">{title}</Title>
              <span className="hint">
                {`${count(lessons.filter(({ isDone }) => isDone).length)}/${count(lessons.length)}`}
                <span className="sr-only"> lessons done</span>
              </span>
            </div>
          )}
          <ol className="outline__lessons">
            {lessons.map((lesson) => (
              <OutlineRow
                key={lesson.id}
                course={course}
                lesson={lesson}
                isCurrent={lesson.id === currentId}
                isNext={lesson.id === nextId}
              />
            ))}
          </ol>
        </li>
      ))}
    </ol>
  );
}
