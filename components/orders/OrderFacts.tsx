import type { Order } from '../contracts/schema';

/** Who bought, where it goes, and where the receipt went. */
export function OrderFacts({ order }: { order: Order }) {
  const { billing, delivery, email, vatId, purchaseOrder, quoteNumber, paidAt } = order;
  return (
    <dl className="order-facts">
      <div>
        <dt>Billed to</dt>
        <dd>
          <Address lines={billing} />
        </dd>
      </div>
      {delivery && (
        <div>
          <dt>Delivery to</dt>
          <dd>
            <Address lines={delivery} />
          </dd>
        </div>
      )}
      {vatId && (
        <div>
          <dt>VAT id</dt>
          <dd>{vatId}</dd>
        </div>
      )}
      {purchaseOrder && (
        <div>
          <dt>Purchase order number</dt>
          <dd>
            <bdi>{purchaseOrder}</bdi>
          </dd>
        </div>
      )}
      {quoteNumber && (
        <div>
          <dt>Quote</dt>
          <dd>{quoteNumber}</dd>
        </div>
      )}
      <div>
        <dt>{paidAt ? 'Receipt sent to' : 'Email address'}</dt>
        <dd>{email}</dd>
      </div>
    </dl>
  );
}

function Address({ lines }: { lines: string[] }) {
  return (
    <address>
      {lines.map((line) => (
        <span key={line}>
          <bdi>{line}</bdi>
        </span>
      ))}
    </address>
  );
}
