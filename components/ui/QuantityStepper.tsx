import { Icon } from './Icon';

type QuantityStepperProps = {
  name: string;
  quantity: number;
  most: number;
  onChange: (quantity: number) => void;
};

/** One less, one more. At an end the button stays in reach and says so instead of vanishing under the finger. */
export function QuantityStepper({ name, quantity, most, onChange }: QuantityStepperProps) {
  const step = (to: number) => {
    if (to >= 1 && to <= most) onChange(to);
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
        aria-disabled={quantity >= most}
        onClick={() => step(quantity + 1)}
      >
        <Icon name="plus" />
      </button>
    </div>
  );
}
