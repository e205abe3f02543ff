import { useState } from 'react';
import { createPasskey, getPasskey, passkeyFailure } from '../../browser/webauthn';
import { FormError } from '../../forms/call/FormError';
import { Icon } from '../../ui/Icon';
import { hiddenValues } from '../flow/flowActions';
import type { StepFormProps } from './StepForm';
import { usePasskeyProblem } from './usePasskeyProblem';

/** A passkey or security key: the browser's response fills the step's hidden inputs. */
export function PasskeyStep({ step, submit, isBusy, failure, onSubmit }: StepFormProps) {
  const [problem, setProblem] = useState('');
  const [isWaiting, setIsWaiting] = useState(false);
  const unavailable = usePasskeyProblem(true);
  const data = step.authenticator?.data;

  async function submitPasskey() {
    if (isBusy || isWaiting) return;
    setProblem('');
    setIsWaiting(true);
    try {
      const response = data?.activation
        ? await createPasskey(data.activation)
        : await getPasskey(data?.challenge ?? {});
      await onSubmit({ ...hiddenValues(step), ...response });
    } catch (cause) {
      setProblem(passkeyFailure(cause));
    } finally {
      setIsWaiting(false);
    }
  }

  return (
    <div className="identity__form stack" aria-busy={isBusy || isWaiting}>
      <FormError text={problem || failure?.text || ''} />
      <div className="identity__picture">
        <Icon name="shield" />
      </div>
      {unavailable && <p className="muted">{unavailable}</p>}
      <button
        type="button"
        className="button button--wide"
        disabled={unavailable !== null}
        aria-disabled={isBusy || isWaiting}
        onClick={() => void submitPasskey()}
      >
        {isWaiting ? 'The browser is asking…' : submit}
      </button>
    </div>
  );
}
