import type { Checkout } from '../contracts/schema';
import { type Format, plural } from '../format/format';
import { discountLabel } from '../model/priceSteps';
import { SummaryLine } from './SummaryLine';

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
