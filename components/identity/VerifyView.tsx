import { loginAddress } from '../api/returnTo';
import { FlowFailure } from './FlowFailure';
import { FlowView } from './FlowView';
import { resume } from './flowActions';
import { useFlow } from './flowStore';
import { IdentityCard, IdentitySkeleton } from './IdentityCard';
import { useReturnTo } from './RegisterView';
import { useResume } from './useFlowStart';

/** /verify and /reset-password: wherever the running transaction stands, in this tab or another one. */
export function VerifyView({ title }: { title: string }) {
  return (
    <FlowView>
      <Resuming title={title} />
    </FlowView>
  );
}

export function Resuming({ title }: { title: string }) {
  const { failure, ended } = useFlow();
  useResume();
  if (ended) return <NothingToResume text={ended.text} />;
  if (failure) return <FlowFailure title={title} failure={failure} onRetry={() => void resume()} />;
  return <IdentitySkeleton title={title} />;
}

export function NothingToResume({ text }: { text: string }) {
  const returnTo = useReturnTo();
  return (
    <IdentityCard
      title="There is nothing to go on with"
      text="What you had begun was finished, or more than 30 minutes have passed. Nothing was changed without you."
      step="nothing"
    >
      <p className="identity__small">{text}</p>
      <div className="identity__buttons">
        <a className="button button--wide" href={loginAddress(returnTo)}>
          Sign in
        </a>
        <a className="button button--quiet button--wide" href="/forgot">
          Choose a new password
        </a>
      </div>
    </IdentityCard>
  );
}
