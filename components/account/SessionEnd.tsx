import { useEffect, useState } from 'react';
import privatePageStyles from '../../static/css/private-page.css?text';
import { providerPage } from '../api/identity';
import { currentAddress } from '../browser/address';
import { type Session, serverNow } from '../browser/session/session';
import { timeOfDay } from '../format/timeOfDay';
import { useStyles } from '../ui/useStyles';

const NOTICE_MS = 5 * 60_000;

type Phase = 'early' | 'soon' | 'over';

function phaseAt(leftMs: number): Phase {
  if (leftMs <= 0) return 'over';
  return leftMs <= NOTICE_MS ? 'soon' : 'early';
}

/**
 * A bar in the last five minutes of a sign-in: it is never prolonged, but a new one is silent while the provider's own
 * lasts.
 */
export function SessionEnd({ session }: { session: Session }) {
  useStyles(privatePageStyles);
  const phase = usePhase(Date.parse(session.expiresAt));
  return (
    <div className="session-end-place" role="status">
      {phase !== 'early' && (
        <SessionEndBar
          isOver={phase === 'over'}
          expiresAt={session.expiresAt}
          href={providerPage({ returnTo: currentAddress(), area: session.learner.area })}
        />
      )}
    </div>
  );
}

type SessionEndBarProps = { isOver: boolean; expiresAt: string; href: string };

export function SessionEndBar({ isOver, expiresAt, href }: SessionEndBarProps) {
  return (
    <p className="session-end">
      {isOver ? 'Your sign-in has ended.' : `Signed in until ${timeOfDay(expiresAt)}.`}{' '}
      <a href={href}>{isOver ? 'Sign in again' : 'Stay signed in'}</a>
    </p>
  );
}

function usePhase(until: number): Phase {
  const [phase, setPhase] = useState(() => phaseAt(until - serverNow()));
  useEffect(() => {
    if (phase === 'over') return;
    const left = until - serverNow() - (phase === 'early' ? NOTICE_MS : 0);
    const timer = setTimeout(() => setPhase(phaseAt(until - serverNow())), Math.max(0, left));
    return () => clearTimeout(timer);
  }, [phase, until]);
  return phase;
}
