import type { Step } from '../api/identity';
import { hiddenValues, proceed } from './flowActions';
import { isVisible } from './inputs';
import { wayOutText } from './stepTexts';

type WaysOutProps = {
  steps: readonly Step[];
  isBusy: boolean;
  canCancel: boolean;
  /** A way that asks something first is drawn in the place of the step. */
  onOpen: (step: Step) => void;
  onCancel: () => void;
};

/** What else can be done than the step that is drawn. */
export function WaysOut({ steps, isBusy, canCancel, onOpen, onCancel }: WaysOutProps) {
  if (steps.length === 0 && !canCancel) return null;

  function go(step: Step) {
    if (isBusy) return;
    if (step.inputs.some(isVisible)) onOpen(step);
    else void proceed(step, hiddenValues(step));
  }

  return (
    <ul className="ways">
      {steps.map((step, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two providers may stand behind the same name
        <li key={`${step.name} ${place}`}>
          {step.href ? (
            <a className="button button--quiet button--wide" href={step.href}>
              {wayOutText(step)}
            </a>
          ) : (
            <button type="button" className="text-button" aria-disabled={isBusy} onClick={() => go(step)}>
              {wayOutText(step)}
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
