import { useEffect, useState } from 'react';
import { providerPage } from '../api/identity';
import { returnAddress } from '../browser/address';
import { type Session, serverNow } from '../browser/session/session';
import { loadOrReload } from '../ui/loading/lazyModule';
import { useLater } from '../ui/loading/useLater';

const NOTICE_MS = 5 * 60_000;

type Phase = 'early' | 'soon' | 'over';

function phaseAt(leftMs: number): Phase {
  if (leftMs <= 0) return 'over';
  return leftMs <= NOTICE_MS ? 'soon' : 'early';
}

const loadBar = () => loadOrReload(import('./SessionEndBar')).then(({ SessionEndBar }) => SessionEndBar);

/**
 * A bar in the last five minutes of a sign-in: it is never prolonged, but a new one is silent while the provider's own
 * lasts. Its code loads after the page, so that it is there when the connection is not.
 */
export function SessionEnd({ session }: { session: Session }) {
  const phase = usePhase(Date.parse(session.expiresAt));
  const Bar = useLater(loadBar);
  return (
    <div className="session-end-place" role="status">
      {Bar && phase !== 'early' && (
        <Bar
          isOver={phase === 'over'}
          expiresAt={session.expiresAt}
          href={providerPage({ returnTo: returnAddress(), area: session.learner.area })}
        />
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
