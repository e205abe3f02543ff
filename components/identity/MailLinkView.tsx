import { useEffect, useRef } from 'react';
import { useLocation } from 'react-router-dom';
import { Notice } from '../ui/Notice';
import { FlowFailure } from './FlowFailure';
import { FlowView } from './FlowView';
import { ForgotForm } from './ForgotView';
import { begin, forget } from './flowActions';
import { endedText, useFlow } from './flowStore';
import { IdentityCard, IdentitySkeleton } from './IdentityCard';

type TokenViewProps = { purpose: 'password' | 'email' };

const TITLES = { password: 'Choose a new password', email: 'Confirm your e-mail' };

/** The whole of /forget-password/{token} and /email-verify/{token}: a mail's link goes on with what it is about. */
export function TokenView({ purpose }: TokenViewProps) {
  return (
    <FlowView>
      <TokenStart purpose={purpose} />
    </FlowView>
  );
}

function TokenStart({ purpose }: TokenViewProps) {
  const { pathname } = useLocation();
  const token = lastSegment(pathname);
  const { failure, ended } = useFlow();
  const isBegun = useRef(false);
  const title = TITLES[purpose];

  useEffect(() => {
    if (isBegun.current) return;
    isBegun.current = true;
    void redeem(token);
  }, [token]);

  if (ended)
    return purpose === 'password' ? <ForgotForm area="learner" /> : <StaleLink text={endedText(ended)} />;
  if (failure) return <FlowFailure title={title} failure={failure} onRetry={() => void redeem(token)} />;
  return <IdentitySkeleton title={title} />;
}

/** Whatever else this tab was in the middle of gives way to the mail. */
function redeem(token: string): Promise<void> {
  forget();
  return begin({ flow: 'recoverPassword', area: 'learner', returnTo: '/', token });
}

function lastSegment(path: string): string {
  const segment = path.split('/').at(-1) ?? '';
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

export function StaleLink({ text }: { text: string }) {
  return (
    <IdentityCard title="Confirm your e-mail" step="stale">
      <Notice kind="warning" title="This link does not work any more">
        <p>{text}</p>
      </Notice>
      <p>Sign in, and your profile sends you a new one. An address that is confirmed already stays so.</p>
      <div className="identity__buttons">
        <a className="button button--wide" href="/login?returnTo=%2Fprofile">
          Sign in
        </a>
        <a className="button button--quiet button--wide" href="/register">
          Create an account
        </a>
      </div>
    </IdentityCard>
  );
}
