import type { Area, FlowName } from '../api/identity';
import { useNavigate } from '../browser/useNavigate';
import { FormError } from '../forms/call/FormError';
import { Button } from '../ui/controls/Button';
import { begin } from './flow/flowActions';
import { flowStore, useFlow } from './flow/flowStore';
import { pageOf } from './flow/stepTexts';

/** Why the password alone is not enough, and the flow that goes on from there. */
export type Unhandled = { text: string; flow: FlowName; username: string };

export type UnhandledStatusProps = Unhandled & { area: Area; returnTo: string; onBack: () => void };

const BUTTON_TEXTS: Partial<Record<FlowName, string>> = { unlockAccount: 'Unlock my account' };

/** The password alone is not enough: sign-in continues as a transaction, with the same name. */
export function UnhandledStatus({ text, flow, username, area, returnTo, onBack }: UnhandledStatusProps) {
  const { isBusy, failure } = useFlow();
  const navigate = useNavigate();

  async function continueFlow() {
    if (isBusy) return;
    await begin({ flow, area, returnTo, username });
    const { transaction } = flowStore.get();
    if (transaction) navigate(pageOf(transaction) ?? '/verify');
  }

  return (
    <div className="identity__form stack" aria-busy={isBusy}>
      <FormError text={text} />
      <p className="identity__learner">{username}</p>
      <p>
        {flow === 'unlockAccount'
          ? 'Too many wrong passwords have locked this account. You can open it again yourself.'
          : 'One more step is needed to sign you in.'}
      </p>
      <FormError text={failure?.text ?? ''} />
      <div className="identity__buttons">
        <Button isWide isBusy={isBusy} busyText="Please wait…" onClick={() => void continueFlow()}>
          {BUTTON_TEXTS[flow] ?? 'Continue'}
        </Button>
        <button type="button" className="button button--quiet button--wide" onClick={onBack}>
          Use another name
        </button>
      </div>
    </div>
  );
}
