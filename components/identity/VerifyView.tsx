import { loginAddress } from '../model/returnTo';
import { FlowFailure } from './card/FlowFailure';
import { IdentityCard, IdentitySkeleton } from './card/IdentityCard';
import { FlowView } from './FlowView';
import { resume } from './flow/flowActions';
import { useFlow } from './flow/flowStore';
import { useResume } from './flow/useFlowStart';
import { useReturnTo } from './useReturnTo';

/** /verify and /reset-password: the current step of the transaction, also of one that began in another tab. */
export function VerifyView({ title }: { title: string }) {
  return (
    <FlowView>
      <ResumeFlow title={title} />
    </FlowView>
  );
}

export function ResumeFlow({ title }: { title: string }) {
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
      <p className="hint">{text}</p>
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
