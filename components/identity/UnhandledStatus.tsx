import { useNavigate } from 'react-router-dom';
import type { Area, FlowName } from '../api/identity';
import { FormProblem } from '../ui/FormProblem';
import { begin } from './flowActions';
import { flowStore, useFlow } from './flowStore';
import { pageOf } from './stepTexts';

export type Unhandled = { text: string; flow: FlowName; username: string };

type UnhandledStatusProps = Unhandled & { area: Area; returnTo: string; onBack: () => void };

const GO_ON: Partial<Record<FlowName, string>> = { unlockAccount: 'Unlock my account' };

/** The password alone does not sign in: the way on is a transaction, with the name kept. */
export function UnhandledStatus({ text, flow, username, area, returnTo, onBack }: UnhandledStatusProps) {
  const { isBusy, failure } = useFlow();
  const navigate = useNavigate();

  async function goOn() {
    if (isBusy) return;
    await begin({ flow, area, returnTo, username });
    const { transaction } = flowStore.get();
    if (transaction) navigate(pageOf(transaction) ?? '/verify');
  }

  return (
    <div className="identity__form" aria-busy={isBusy}>
      <FormProblem text={text} />
      <p className="identity__who">{username}</p>
      <p>
        {flow === 'unlockAccount'
          ? 'Too many wrong passwords have locked this account. You can open it again yourself.'
          : 'One more step is needed to sign you in.'}
      </p>
      <FormProblem text={failure?.text ?? ''} />
      <div className="identity__buttons">
        <button
          type="button"
          className="button button--wide"
          aria-disabled={isBusy}
          onClick={() => void goOn()}
        >
          {isBusy ? 'One moment…' : (GO_ON[flow] ?? 'Continue')}
        </button>
        <button type="button" className="button button--quiet button--wide" onClick={onBack}>
          Use another name
        </button>
      </div>
    </div>
  );
}
