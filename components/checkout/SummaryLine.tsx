import type { CheckoutLineSchema, StepSchema } from '../contracts/schema';
import type { Format } from '../format/format';
import { lowestPrice } from '../format/lowestPrice';
import { codeLabel } from '../model/priceSteps';

type SummaryLineProps = { line: CheckoutLineSchema; format: Format };

/** One course or shop item of the order, with the offers that lower it and those that do not hold. */
export function SummaryLine({ line, format }: SummaryLineProps) {
  const { name, href, picture, quantity, refusal, refusedOffers } = line;
  const listTotal = line.listMinor * quantity;
  // Before what coupons take off once, which is a row of its own below.
  const total = line.unitMinor * quantity;
  return (
    <li className="order-line">
      <img
        className="order-line__picture"
        src={picture.src}
        width={picture.width}
        height={picture.height}
        alt=""
        loading="lazy"
        decoding="async"
      />
      <p className="order-line__name">
        <a href={href}>{name}</a>
        {quantity > 1 && <span className="hint">{` × ${format.count(quantity)}`}</span>}
      </p>
      <p className="order-line__price">
        {listTotal > total && (
          <s>
            <span className="sr-only">Regular price </span>
            {format.money(listTotal)}
          </s>
        )}
        <strong>{format.price(total)}</strong>
      </p>
      {listTotal > total && line.lowestBefore !== null && (
        <p className="price__lowest order-line__lowest">{lowestPrice(line.lowestBefore, format)}</p>
      )}
      <PriceSteps line={line} format={format} />
      {refusal && <p className="order-line__refusal">{refusal}</p>}
      {refusedOffers.map(({ name: offer, message }) => (
        <p className="order-line__refusal" key={offer + message}>
          {message}
        </p>
      ))}
    </li>
  );
}

/** From the list price to what the line costs before tax. */
function PriceSteps({ line, format }: SummaryLineProps) {
  const { name, steps, rejectedOffers, offeredMinor } = line;
  if (steps.length < 2 && rejectedOffers.length === 0) return null;
  return (
    <details className="order-line__more">
      <summary>
        Why this price?<span className="sr-only">{` ${name}`}</span>
      </summary>
      <dl className="order-line__steps">
        {steps.map((step) => (
          <div className="order-line__step" key={step.step + step.name}>
            <dt>{labelOf(step, line)}</dt>
            <dd>{amountOf(step, format)}</dd>
          </div>
        ))}
        <div className="order-line__step order-line__step--sum">
          <dt>You pay</dt>
          <dd>{format.price(offeredMinor)}</dd>
        </div>
      </dl>
      {rejectedOffers.map((offer) => (
        <p className="hint" key={offer.step + offer.name}>
          {`${offer.name} is not used: ${offer.message}`}
        </p>
      ))}
    </details>
  );
}

function amountOf({ step, change, total }: StepSchema, format: Format): string {
  if (step === 'list') return format.money(total);
  return change < 0 ? `−${format.money(-change)}` : `+${format.money(change)}`;
}

function labelOf(step: StepSchema, { quantity, unitMinor }: CheckoutLineSchema): string {
  const { name } = step;
  const labels = {
    list: quantity > 1 ? `List price, ${quantity} times` : 'List price',
    sale: 'Sale',
    organisation: name,
    code: codeLabel(step, unitMinor * quantity),
    coupon: `Coupon ${name}`,
    tax: name || 'Tax',
  };
  return labels[step.step];
}
