import type { Step } from '../../api/identity';
import { hiddenValues, proceed } from '../flow/flowActions';
import { isVisible } from '../flow/inputs';
import { alternativeText } from '../flow/stepTexts';

type StepAlternativesProps = {
  steps: readonly Step[];
  isBusy: boolean;
  canCancel: boolean;
  /** An alternative with inputs is shown instead of the step. */
  onOpen: (step: Step) => void;
  onCancel: () => void;
};

/** The alternatives to the current step. */
export function StepAlternatives({ steps, isBusy, canCancel, onOpen, onCancel }: StepAlternativesProps) {
  if (steps.length === 0 && !canCancel) return null;

  function go(step: Step) {
    if (isBusy) return;
    if (step.inputs.some(isVisible)) onOpen(step);
    else void proceed(step, hiddenValues(step));
  }

  return (
    <ul className="step-alternatives">
      {steps.map((step, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two providers may stand behind the same name
        <li key={`${step.name} ${place}`}>
          {step.href ? (
            <a className="button button--quiet button--wide" href={step.href}>
              {alternativeText(step)}
            </a>
          ) : (
            <button type="button" className="text-button" aria-disabled={isBusy} onClick={() => go(step)}>
              {alternativeText(step)}
            </button>
          )}
        </li>
      ))}
      {canCancel && (
        <li>
          <button type="button" className="text-button text-button--quiet" onClick={onCancel}>
            Cancel
          </button>
        </li>
      )}
    </ul>
  );
}
