import { endSession } from '../../api/account/account';
import type { Area } from '../../api/identity';
import { useRefresh } from '../../api/session/privatePage';
import { useSite } from '../../api/site';
import type { ProfileProps, SignInProps } from '../../contracts/schema';
import { dateTime, timeText } from '../../format/dateTime';
import { CallError } from '../../forms/call/SignInAgain';
import { useCall } from '../../forms/call/useCall';
import { Button } from '../../ui/controls/Button';
import { useRestoredFocus } from '../../ui/useRestoredFocus';
import { Section } from '../parts/Section';
import { ContactRow } from './ContactRow';

const AREAS: Record<Area, string> = { learner: '', organisation: 'Organisation', admin: 'Administrator' };

export function SessionsSection({ sessions }: Pick<ProfileProps, 'sessions'>) {
  return (
    <Section
      id="sessions"
      title="Where you are signed in"
      text="Each sign-in ends by itself after a while. End what you do not know, then change your password."
    >
      <Sessions sessions={sessions} />
    </Section>
  );
}

function Sessions({ sessions }: Pick<ProfileProps, 'sessions'>) {
  const refresh = useRefresh();
  const task = useCall();
  const { forms } = useSite();
  const list = useRestoredFocus<HTMLUListElement>(sessions.length);
  const others = sessions.filter(({ isThis }) => !isThis);

  const end = (ended: SignInProps[]) =>
    task.run(async () => {
      for (const session of ended) await endSession(session);
      await refresh();
    });

  return (
    <>
      <CallError call={task} />
      <ul className="account-list" ref={list} tabIndex={-1} aria-label="Sign-ins">
        {sessions.map((session) => (
          <ContactRow
            key={session.id}
            icon="laptop"
            text={session.browser || 'An unknown browser'}
            note={`Since ${dateTime(session.createdAt, forms)}; ends by ${timeText(session.expiresAt, forms)}`}
            badges={[session.isThis && 'This browser', AREAS[session.area]].map((text) => !!text && { text })}
            isBusy={task.isBusy}
            question={session.isThis ? null : `Sign out ${session.browser || 'this browser'}?`}
            removal="Sign out"
            onRemove={() => void end([session])}
          />
        ))}
      </ul>
      {others.length > 1 && (
        <Button variant="quiet" isBusy={task.isBusy} busyText="Signing out…" onClick={() => void end(others)}>
          Sign out everywhere else
        </Button>
      )}
    </>
  );
}
