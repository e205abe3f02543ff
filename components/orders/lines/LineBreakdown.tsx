import type { OrderLine, OrderStep, UnusedOffer } from '../../contracts/schema';
import type { Format } from '../../format/format';
import { codeLabel } from '../../model/priceSteps';

type LineBreakdownProps = { line: OrderLine; format: Format };

/** The steps of a line's price as it was sold, and the offers that did not lower it. */
export function LineBreakdown({ line, format }: LineBreakdownProps) {
  if (line.steps.length === 0) return null;
  return (
    <details className="price-breakdown order-line-breakdown">
      <summary className="price-breakdown__question">
        Why this price?<span className="sr-only">{` ${line.name}`}</span>
      </summary>
      <dl className="price-breakdown__steps">
        {line.steps.map((step, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the steps of a sold line never change
          <div className="price-breakdown__step" key={index}>
            <dt>{labelOf(step, line)}</dt>
            <dd>{amountOf(step, format)}</dd>
          </div>
        ))}
        <div className="price-breakdown__step price-breakdown__step--sum">
          <dt>Price</dt>
          <dd>{format.price(line.total)}</dd>
        </div>
      </dl>
      <UnusedOffers offers={line.unusedOffers} />
    </details>
  );
}

export function UnusedOffers({ offers }: { offers: UnusedOffer[] }) {
  if (offers.length === 0) return null;
  return (
    <ul className="order-unused hint">
      {offers.map(({ step, name, message }) => (
        <li key={step + name}>{message}</li>
      ))}
    </ul>
  );
}

function amountOf({ step, change, total, included }: OrderStep, format: Format): string {
  if (step === 'list') return format.money(total);
  if (change === 0 && included > 0) return format.money(included);
  return change < 0 ? `−${format.money(-change)}` : `+${format.money(change)}`;
}

function labelOf(step: OrderStep, { quantity, unitPrice }: OrderLine): string {
  const { name, change, included } = step;
  const times = quantity > 1 ? `, ${quantity} times` : '';
  const tax = name || 'Tax';
  const labels: Record<OrderStep['step'], string> = {
    list: `List price${times}`,
    sale: 'Sale',
    organisation: name,
    code: codeLabel(step, unitPrice * quantity),
    coupon: `Coupon ${name}`,
    tax: change === 0 && included > 0 ? `Includes ${tax}` : tax,
  };
  return labels[step.step];
}
