import { Icon } from './Icon';

type QuantityStepperProps = {
  name: string;
  quantity: number;
  max: number;
  onChange: (quantity: number) => void;
};

/** Buttons for one less and one more. At a limit the button stays focusable and has aria-disabled. */
export function QuantityStepper({ name, quantity, max, onChange }: QuantityStepperProps) {
  const step = (to: number) => {
    if (to >= 1 && to <= max) onChange(to);
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: no set of form fields, two buttons around a number
    <div className="stepper" role="group" aria-label={`Quantity of ${name}`}>
      <button
        type="button"
        className="stepper__button"
        aria-label={`One less of ${name}`}
        aria-disabled={quantity <= 1}
        onClick={() => step(quantity - 1)}
      >
        <Icon name="minus" />
      </button>
      <output className="stepper__number">{quantity}</output>
      <button
        type="button"
        className="stepper__button"
        aria-label={`One more of ${name}`}
        aria-disabled={quantity >= max}
        onClick={() => step(quantity + 1)}
      >
        <Icon name="plus" />
      </button>
    </div>
  );
}
