import type { Checkout, CheckoutLineSchema, StepSchema } from '../contracts/schema';
import { type Format, plural } from '../format/format';
import { lowestPrice } from '../format/lowestPrice';
import { isolated } from '../model/isolated';
import { codeLabel, discountLabel } from '../model/priceSteps';

type OrderSummaryProps = { checkout: Checkout; format: Format; isBusy: boolean };

/** What is ordered: each line with the steps of its price, then delivery, tax by rate, and the total. */
export function OrderSummary({ checkout, format, isBusy }: OrderSummaryProps) {
  const { lines, refusedOffers } = checkout;
  return (
    <aside
      className="order-summary panel"
      id="order-summary"
      aria-labelledby="order-title"
      aria-busy={isBusy}
    >
      <div className="order-summary__head row">
        <h2 className="heading-m" id="order-title">
          Your order
        </h2>
        <a className="order-summary__edit" href="/cart">
          Change your cart
        </a>
      </div>
      <ul>
        {lines.map((line) => (
          <SummaryLine key={line.id} line={line} format={format} />
        ))}
      </ul>
      {refusedOffers.map(({ name, message }) => (
        <p className="order-line__refusal" key={name + message}>
          {message}
        </p>
      ))}
      <Totals checkout={checkout} format={format} />
    </aside>
  );
}

type TotalsProps = Pick<OrderSummaryProps, 'checkout' | 'format'>;

/** Taxes that the prices contain stand below the total. */
export function Totals({ checkout, format }: TotalsProps) {
  const { lines, totals, services } = checkout;
  const count = lines.reduce((sum, line) => sum + line.quantity, 0);
  const isIncluded = totals.priceMode === 'inclusive';
  return (
    <dl className="totals">
      <Row
        label={`${format.count(count)} ${plural(count, 'item', 'items')}`}
        amount={format.money(totals.subtotalMinor)}
      />
      {totals.discountMinor > 0 && (
        <Row kind="off" label={couponLabel(checkout)} amount={`−${format.money(totals.discountMinor)}`} />
      )}
      {services.length > 0 && <Row label="Delivery" amount={format.price(totals.deliveryMinor)} />}
      {!isIncluded && <Taxes checkout={checkout} format={format} />}
      {totals.removedTaxMinor > 0 && (
        <Row
          kind="off"
          label="Tax that is not due here"
          amount={`−${format.money(totals.removedTaxMinor)}`}
        />
      )}
      {totals.missingArea && (
        <Row kind="note" label="Tax" amount={`Choose your ${totals.missingArea.toLowerCase()}`} />
      )}
      <Row
        kind="total"
        label={totals.missingArea ? 'Total before tax' : 'Total'}
        amount={format.money(totals.totalMinor)}
      />
      {isIncluded && <Taxes checkout={checkout} format={format} />}
      {totals.taxKind === 'reverse_charge' && (
        <Row kind="note" label="Reverse charge: you pay the tax" amount="" />
      )}
    </dl>
  );
}

function Taxes({ checkout: { taxes, totals }, format }: TotalsProps) {
  const isIncluded = totals.priceMode === 'inclusive';
  return taxes.map(({ label, percent, taxMinor }) => (
    <Row
      key={label + percent}
      kind={isIncluded ? 'note' : undefined}
      label={`${isIncluded ? 'Includes ' : ''}${label} ${format.percent(percent)}`}
      amount={format.money(taxMinor)}
    />
  ));
}

type RowProps = { label: string; amount: string; kind?: 'off' | 'total' | 'note' | undefined };

function Row({ label, amount, kind }: RowProps) {
  return (
    <div className={kind ? `totals__row totals__row--${kind}` : 'totals__row'}>
      <dt>{label}</dt>
      <dd>{amount}</dd>
    </div>
  );
}

function couponLabel({ lines }: Checkout): string {
  return discountLabel(
    lines.map(({ steps, unitMinor, quantity }) => ({ steps, units: unitMinor * quantity })),
  );
}

type SummaryLineProps = { line: CheckoutLineSchema; format: Format };

/** One course or shop item of the order, with the offers that lower it and those that do not hold. */
function SummaryLine({ line, format }: SummaryLineProps) {
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
          {`${isolated(offer.name)} is not used: ${offer.message}`}
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
    coupon: `Coupon ${isolated(name)}`,
    tax: name || 'Tax',
  };
  return labels[step.step];
}
