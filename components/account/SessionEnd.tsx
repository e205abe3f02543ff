import { useEffect, useState } from 'react';
import accountStyles from '../../static/css/account.css?text';
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
  useStyles(accountStyles);
  const phase = usePhase(Date.parse(session.expiresAt));
  const renewal = () => providerPage({ returnTo: currentAddress(), area: session.learner.area });
  return (
    <div role="status">
      {phase !== 'early' && (
        <p className="session-end">
          {phase === 'soon' ? `Signed in until ${timeOfDay(session.expiresAt)}.` : 'Your sign-in has ended.'}{' '}
          <a href={renewal()}>{phase === 'soon' ? 'Stay signed in' : 'Sign in again'}</a>
        </p>
      )}
    </div>
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
