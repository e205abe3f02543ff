import type { Order } from '../contracts/schema';
import type { Format } from '../format/format';
import { discountLabel } from '../model/priceSteps';

type OrderTotalsProps = { order: Order; format: Format };

/** How the sum comes about, with the tax of each rate. */
export function OrderTotals({ order, format }: OrderTotalsProps) {
  const { totals, taxes, priceMode, taxKind } = order;
  const isIncluded = priceMode === 'inclusive';
  return (
    <dl className="totals order-totals">
      <Row label="Items" amount={format.money(totals.subtotal)} />
      {totals.discount > 0 && (
        <Row label={couponLabel(order)} amount={`−${format.money(totals.discount)}`} kind="off" />
      )}
      {totals.delivery > 0 && <Row label="Delivery" amount={format.money(totals.delivery)} />}
      {!isIncluded && taxes.map((tax) => <Row key={tax.label + tax.percent} {...taxRow(tax, format)} />)}
      {taxKind === 'reverse_charge' && (
        <Row label="VAT: reverse charge, you owe it" amount={format.money(0)} />
      )}
      <Row label="Total" amount={format.money(totals.total)} kind="total" />
      {isIncluded &&
        taxes.map((tax) => <Row key={tax.label + tax.percent} {...taxRow(tax, format, 'Includes ')} />)}
      {totals.refunded > 0 && <Row label="Refunded" amount={`−${format.money(totals.refunded)}`} />}
      {totals.owed > 0 && <Row label="Still to be paid back" amount={format.money(totals.owed)} />}
    </dl>
  );
}

function couponLabel({ lines }: Order): string {
  return discountLabel(
    lines.map(({ steps, unitPrice, quantity }) => ({ steps, units: unitPrice * quantity })),
  );
}

type RowProps = { label: string; amount: string; kind?: 'off' | 'total' };

function Row({ label, amount, kind }: RowProps) {
  return (
    <div className={`totals__row${kind ? ` totals__row--${kind}` : ''}`}>
      <dt>{label}</dt>
      <dd>{amount}</dd>
    </div>
  );
}

function taxRow({ label, percent, net, tax }: Order['taxes'][number], format: Format, before = ''): RowProps {
  const rate = Number(percent) ? ` ${format.percent(percent)}` : '';
  return { label: `${before}${label}${rate} on ${format.money(net)}`, amount: format.money(tax) };
}
