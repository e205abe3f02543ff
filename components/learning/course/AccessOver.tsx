import { useSite } from '../../api/site';
import type { AccessOverView } from '../../contracts/schema';
import { formatOf } from '../../format/format';
import { Notice } from '../../ui/Notice';
import { CourseHead } from './CourseHead';

/** A course whose access is over: why, until when notes and results can be read, and how to get it back. */
export function AccessOver({ view }: { view: AccessOverView }) {
  const format = formatOf(useSite());
  const { course, reason, endedAt, readableUntil, back } = view;
  return (
    <div className="learning stack">
      <CourseHead course={course} />
      <Notice kind="warning" title={`Your access ended on ${format.date(endedAt)}`}>
        <p>{reason}</p>
        <p>{`Your notes and results can be read until ${format.date(readableUntil)}. Certificates stay.`}</p>
        {back && (
          <a className="button" href={back.href}>
            {back.name}
          </a>
        )}
      </Notice>
    </div>
  );
}
