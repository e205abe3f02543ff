import { useEffect, useRef } from 'react';
import { useLocation } from 'react-router-dom';
import { Notice } from '../ui/Notice';
import { FlowFailure } from './card/FlowFailure';
import { IdentityCard, IdentitySkeleton } from './card/IdentityCard';
import { FlowView } from './FlowView';
import { ForgotForm } from './ForgotView';
import { begin } from './flow/flowActions';
import { clearFlow, endedText, useFlow } from './flow/flowStore';

type MailLinkViewProps = { purpose: 'password' | 'email' };

const TITLES = { password: 'Choose a new password', email: 'Confirm your email' };

/** The whole of /forget-password/{token} and /email-verify/{token}: continues the flow of a mail's link. */
export function MailLinkView({ purpose }: MailLinkViewProps) {
  return (
    <FlowView>
      <MailLinkStart purpose={purpose} />
    </FlowView>
  );
}

function MailLinkStart({ purpose }: MailLinkViewProps) {
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

/** The mail's link replaces any other flow of this tab. */
function redeem(token: string): Promise<void> {
  clearFlow();
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
    <IdentityCard title="Confirm your email" step="stale">
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
