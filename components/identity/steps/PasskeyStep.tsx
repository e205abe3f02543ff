import { useState } from 'react';
import { keyFailure, makeKey, proveKey } from '../browser/webauthn';
import { FormProblem } from '../ui/FormProblem';
import { Icon } from '../ui/Icon';
import { hiddenValues } from './flowActions';
import type { StepFormProps } from './StepForm';
import { useKeyObstacle } from './useKeyObstacle';

/** A passkey or security key: the browser asks for it, its answer is the step's hidden inputs. */
export function KeyStep({ step, submit, isBusy, failure, onSubmit }: StepFormProps) {
  const [problem, setProblem] = useState('');
  const [isAsking, setIsAsking] = useState(false);
  const obstacle = useKeyObstacle(true);
  const data = step.authenticator?.data;

  async function ask() {
    if (isBusy || isAsking) return;
    setProblem('');
    setIsAsking(true);
    try {
      const answer = data?.activation
        ? await makeKey(data.activation)
        : await proveKey(data?.challenge ?? {});
      await onSubmit({ ...hiddenValues(step), ...answer });
    } catch (cause) {
      setProblem(keyFailure(cause));
    } finally {
      setIsAsking(false);
    }
  }

  return (
    <div className="identity__form" aria-busy={isBusy || isAsking}>
      <FormProblem text={problem || failure?.text || ''} />
      <div className="identity__picture">
        <Icon name="shield" />
      </div>
      {obstacle && <p className="identity__obstacle">{obstacle}</p>}
      <button
        type="button"
        className="button button--wide"
        disabled={obstacle !== null}
        aria-disabled={isBusy || isAsking}
        onClick={() => void ask()}
      >
        {isAsking ? 'The browser is asking…' : submit}
      </button>
    </div>
  );
}
