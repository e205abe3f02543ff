import type { ReactNode } from 'react';
import tableStyles from '../../static/css/table.css?text';
import { applyAgain } from '../api/organisation/applications';
import { useRefresh } from '../api/session/privatePage';
import { useSite } from '../api/site';
import type { OrganisationApplicationProps } from '../contracts/schema';
import { compactFormatOf } from '../format/compactFormat';
import { Badge } from '../ui/Badge';
import { EmptyState } from '../ui/EmptyState';
import { StaffTime, useZone } from '../ui/StaffTime';
import { notify } from '../ui/toasts/toasts';
import { useStyles } from '../ui/useStyles';
import { ApplicationForm } from './ApplicationForm';

type ApplicationViewProps = OrganisationApplicationProps & {
  /** The forms of what can be said now. */
  answer: ReactNode;
  factList: ReactNode;
};

/** One's own application: its state, what happens next, and the thread with the staff. */
export function ApplicationView({ answer, factList, ...props }: ApplicationViewProps) {
  // Badges and facts.
  useStyles(tableStyles);
  if (!props.heading) return <NoApplication title={props.title} />;
  return (
    <div className="area-page">
      <header className="area-page__head row">
        <div>
          <h1>{props.heading}</h1>
          <p className="row area-page__state">
            <Badge tone={props.stateTone} text={props.stateText} />
          </p>
        </div>
      </header>
      {props.next && <p>{props.next}</p>}
      {props.stateText === 'Approved' && (
        <p>
          <a className="button" href="/organization-login?returnTo=%2Forganization">
            Open its area
          </a>
        </p>
      )}
      <Others others={props.others} />
      <ApplicationThread thread={props.thread} />
      {answer}
      {props.again && <Again id={props.applicationId} values={props.again} />}
      {factList}
    </div>
  );
}

function NoApplication({ title }: { title: string }) {
  return (
    <div className="area-page">
      <h1>{title}</h1>
      <EmptyState
        title="You have not applied"
        text="What you send when you register an organisation is shown here, with our answer."
        links={[{ href: '/organization-register', text: 'Register an organisation' }]}
      />
    </div>
  );
}

function Others({ others }: Pick<OrganisationApplicationProps, 'others'>) {
  if (others.length === 0) return null;
  return (
    <nav aria-label="Your applications">
      <ul>
        {others.map(({ name, href, state, isCurrent }) => (
          <li key={href}>
            <a href={href} aria-current={isCurrent ? 'page' : undefined}>
              {name}
            </a>
            {`: ${state}`}
          </li>
        ))}
      </ul>
    </nav>
  );
}

type AgainProps = { id: number; values: NonNullable<OrganisationApplicationProps['again']> };

function Again({ id, values }: AgainProps) {
  const refresh = useRefresh();
  return (
    <section className="area-box" aria-labelledby="apply-again">
      <h2 className="heading-m" id="apply-again">
        Apply again
      </h2>
      <ApplicationForm
        initial={values}
        button="Send application"
        send={(form) => applyAgain(id, form)}
        onSuccess={({ text }) => {
          void notify('success', text);
          refresh().catch(() => undefined);
        }}
      />
    </section>
  );
}

/** What applicant and staff have written to each other, the oldest first. */
function ApplicationThread({ thread }: Pick<OrganisationApplicationProps, 'thread'>) {
  const site = useSite();
  const format = compactFormatOf(site);
  const zone = useZone();
  if (thread.length === 0) return null;
  return (
    <section className="area-part" aria-labelledby="thread-title">
      <h2 className="heading-m" id="thread-title">
        Messages
      </h2>
      {thread.map(({ id, isStaff, sentAt, text }) => (
        <article key={id} className="area-box">
          <h3 className="heading-s">
            {isStaff ? site.name : 'You'}, <StaffTime at={sentAt} format={format.time} />
            {` ${zone.name}`}
          </h3>
          <p className="area-text">{text}</p>
        </article>
      ))}
    </section>
  );
}
