import type { DashboardNotice } from '../../contracts/schema';
import { Notice } from '../../ui/Notice';

/** What the learner may want to do now; absent without any. */
export function Notices({ notices }: { notices: DashboardNotice[] }) {
  if (notices.length === 0) return null;
  return (
    <section className="stack learning__notices" aria-label="Notices">
      {notices.map(({ kind, title, text, action }) => (
        <Notice key={`${kind} ${title}`} title={title}>
          <p>{text}</p>
          {action && (
            <a className="button button--quiet" href={action.href}>
              {action.name}
            </a>
          )}
        </Notice>
      ))}
    </section>
  );
}
