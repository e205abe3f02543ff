import { useSite } from '../api/site';
import type { OrganisationApplicationProps } from '../contracts/schema';

/** What applicant and staff have written to each other, the oldest first. */
export function ApplicationThread({ thread }: Pick<OrganisationApplicationProps, 'thread'>) {
  const site = useSite();
  if (thread.length === 0) return null;
  return (
    <section className="area-part" aria-labelledby="thread-title">
      <h2 className="heading-m" id="thread-title">
        Messages
      </h2>
      {thread.map(({ id, isStaff, sentAt, text }) => (
        <article key={id} className="area-box">
          <h3 className="heading-s">
            {isStaff ? site.name : 'You'},{' '}
            <time dateTime={sentAt}>{sentAt.slice(0, 16).replace('T', ' ')} UTC</time>
          </h3>
          <p className="area-text">{text}</p>
        </article>
      ))}
    </section>
  );
}
