import type { LocaleForms, Order, OrderLine } from '../../contracts/schema';
import type { Format } from '../../format/format';
import { LineBreakdown, UnusedOffers } from './LineBreakdown';
import { LineGoods } from './LineGoods';

type OrderLinesProps = { order: Order; format: Format; forms: LocaleForms };

/** What was bought. */
export function OrderLines({ order, format, forms }: OrderLinesProps) {
  return (
    <>
      <ul className="bought-lines" aria-label="Bought">
        {order.lines.map((line) => (
          <BoughtLine key={line.number} line={line} order={order} format={format} forms={forms} />
        ))}
      </ul>
      <UnusedOffers offers={order.unusedOffers} />
    </>
  );
}

type BoughtLineProps = OrderLinesProps & { line: OrderLine };

function BoughtLine({ line, order, format, forms }: BoughtLineProps) {
  const amount = order.priceMode === 'exclusive' ? line.net : line.total;
  return (
    <li className="bought-line">
      <div className="bought-line__head">
        <h3 className="bought-line__name">
          {line.href ? <a href={line.href}>{line.name}</a> : nameOf(line)}
        </h3>
        <p className="bought-line__price">
          <strong>{format.price(amount)}</strong>
          {line.quantity > 1 && (
            <span className="hint">{`${line.quantity} × ${format.money(line.unitPrice)}`}</span>
          )}
        </p>
      </div>
      {line.sku && <p className="hint">{line.sku}</p>}
      {line.refunded > 0 && <p className="hint">{`${format.money(line.refunded)} refunded`}</p>}
      {line.owed > 0 && <p className="hint">{`${format.money(line.owed)} still to be paid back`}</p>}
      <LineGoods
        line={line}
        code={order.code}
        isPaid={order.state === 'paid'}
        format={format}
        forms={forms}
      />
      <LineBreakdown line={line} format={format} />
    </li>
  );
}

function nameOf({ kind, name }: OrderLine): string {
  return kind === 'delivery' ? `Delivery: ${name}` : name;
}
