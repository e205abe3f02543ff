import { Icon } from '../../ui/Icon';
import { numbered } from '../../ui/numbered';

export function Outcomes({ outcomes }: { outcomes: string[] }) {
  if (outcomes.length === 0) return null;
  return (
    <section className="outcomes" id="outcomes">
      <h2 className="outcomes__title">What you will learn</h2>
      <ul className="outcomes__list">
        {numbered(outcomes).map(({ key, value }) => (
          <li className="outcomes__item" key={key}>
            <Icon name="check" />
            {value}
          </li>
        ))}
      </ul>
    </section>
  );
}

type CourseFitProps = { prerequisites: string[]; audience: string[] };

/** Audience and prerequisites of a course, side by side when both are known. */
export function CourseFit({ prerequisites, audience }: CourseFitProps) {
  if (prerequisites.length + audience.length === 0) return null;
  return (
    <div className="course-fit">
      <PlainList title="Who it is for" items={audience} />
      <PlainList title="What you should bring" items={prerequisites} />
    </div>
  );
}

function PlainList({ title, items }: { title: string; items: string[] }) {
  if (items.length === 0) return null;
  return (
    <section className="course-fit__part">
      <h2 className="course-fit__title">{title}</h2>
      <ul className="course-fit__list">
        {numbered(items).map(({ key, value }) => (
          <li key={key}>{value}</li>
        ))}
      </ul>
    </section>
  );
}
