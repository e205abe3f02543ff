import { useSite } from '../../api/site';
import type { AdminHomeProps } from '../../contracts/schema';
import { formatOf } from '../../format/format';

/** What waits for this person, each with the page that deals with it. */
export function WaitingWork({ waiting }: Pick<AdminHomeProps, 'waiting'>) {
  const format = formatOf(useSite());
  return (
    <section className="area-part" aria-labelledby="waiting">
      <h2 className="heading-m" id="waiting">
        Waiting for you
      </h2>
      {waiting.length === 0 ? (
        <p className="muted">Nothing waits for you.</p>
      ) : (
        <ul className="waiting-work">
          {waiting.map(({ count, isMore, text, href }) => (
            <li key={text} className="waiting-work__entry">
              <strong className="waiting-work__count">{`${format.count(count)}${isMore ? '+' : ''}`}</strong>
              {href ? <a href={href}>{text}</a> : <span>{text}</span>}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
