import { endSession, getSessions, type OwnSession } from '../../api/account';
import type { Area } from '../../api/identity';
import { useSite } from '../../api/site';
import { formatOf } from '../../format/format';
import { useRestoredFocus } from '../../ui/useRestoredFocus';
import { Fetched, Section } from '../parts/Section';
import { SubmitError } from '../parts/SignInAgain';
import { type FetchState, useFetched } from '../parts/useFetched';
import { useSubmit } from '../parts/useSubmit';
import { ContactRow } from './ContactRow';

const AREAS: Record<Area, string> = { learner: '', organisation: 'Organisation', admin: 'Administrator' };

export function SessionsSection() {
  const loaded = useFetched(getSessions);
  return (
    <Section
      id="sessions"
      title="Where you are signed in"
      text="Each sign-in ends by itself after 45 minutes. End what you do not know, then change your password."
    >
      <Fetched loaded={loaded} label="sign-ins">
        {(sessions) => <Sessions sessions={sessions} loaded={loaded} />}
      </Fetched>
    </Section>
  );
}

function Sessions({ sessions, loaded }: { sessions: OwnSession[]; loaded: FetchState<OwnSession[]> }) {
  const task = useSubmit();
  const format = formatOf(useSite());
  const list = useRestoredFocus<HTMLUListElement>(sessions.length);
  const others = sessions.filter(({ isThis }) => !isThis);

  const end = (ended: OwnSession[]) =>
    task.run(async () => {
      for (const session of ended) loaded.set(await endSession(session));
    });

  return (
    <>
      <SubmitError task={task} />
      <ul className="account-list" ref={list} tabIndex={-1} aria-label="Sign-ins">
        {sessions.map((session) => (
          <ContactRow
            key={session.id}
            icon="laptop"
            text={session.browser || 'An unknown browser'}
            note={`Since ${format.date(session.createdAt)}, ${timeOf(session.createdAt)}; ends by ${timeOf(session.expiresAt)}`}
            badges={[session.isThis && 'This browser', AREAS[session.area]].map((badge) => badge || false)}
            isBusy={task.isBusy}
            question={session.isThis ? null : `Sign out ${session.browser || 'this browser'}?`}
            removal="Sign out"
            onRemove={() => void end([session])}
          />
        ))}
      </ul>
      {others.length > 1 && (
        <button
          type="button"
          className="button button--quiet"
          aria-disabled={task.isBusy}
          onClick={() => void end(others)}
        >
          Sign out everywhere else
        </button>
      )}
    </>
  );
}

/** Time of day in the visitor's time zone; rendered in the browser only. */
function timeOf(iso: string): string {
  const at = new Date(iso);
  return `${at.getHours()}:${String(at.getMinutes()).padStart(2, '0')}`;
}
