import type { Format } from '../format/format';
import { codeLabel, type Step } from '../model/priceSteps';
import type { CartItem } from './store/pricedCart';

type PriceBreakdownProps = { item: CartItem; format: Format };

/** The steps of a line's price. */
export function PriceBreakdown({ item: { steps, line, unit }, format }: PriceBreakdownProps) {
  const last = steps.at(-1);
  if (!last) return null;
  return (
    <details className="price-breakdown">
      <summary className="price-breakdown__question">
        Why this price?<span className="sr-only">{` ${line.name}`}</span>
      </summary>
      <dl className="price-breakdown__steps">
        {steps.map((step) => (
          <div className="price-breakdown__step" key={step.step + step.name}>
            <dt>{labelOf(step, line.quantity, unit)}</dt>
            <dd>{step.step === 'list' ? format.money(step.total) : signed(step.change, format)}</dd>
          </div>
        ))}
        <div className="price-breakdown__step price-breakdown__step--sum">
          <dt>You pay</dt>
          <dd>{format.price(last.total)}</dd>
        </div>
      </dl>
    </details>
  );
}

function signed(change: number, format: Format): string {
  return change < 0 ? `−${format.money(-change)}` : `+${format.money(change)}`;
}

function labelOf(step: Step, quantity: number, unit: number): string {
  const { name } = step;
  const times = quantity > 1 ? `, ${quantity} times` : '';
  const labels = {
    list: `List price${times}`,
    sale: 'Sale',
    organisation: name,
    code: codeLabel(step, unit * quantity),
    coupon: `Coupon ${name}`,
    tax: 'Tax',
  };
  return labels[step.step];
}
