import type { Order } from '../contracts/schema';
import type { Format } from '../format/format';
import { Icon } from '../ui/Icon';
import { OrderPart } from './OrderPart';

/** Invoices and credit notes as PDF; those of businesses have the invoice for programs in them. */
export function OrderDocuments({
  order: { documents, documentNote },
  format,
}: {
  order: Order;
  format: Format;
}) {
  if (documents.length === 0) return null;
  return (
    <OrderPart id="documents" title="Documents" className="order-part--screen">
      <ul className="order-links">
        {documents.map(({ title, number, href, issuedAt, isStructured }) => (
          <li key={number}>
            <a href={href} download>
              <Icon name="receipt" />
              {`${title} ${number} (${formOf(isStructured)})`}
            </a>
            <span className="hint">{format.date(issuedAt)}</span>
          </li>
        ))}
      </ul>
      {documentNote && <p className="hint">{documentNote}</p>}
    </OrderPart>
  );
}

function formOf(isStructured: boolean): string {
  return isStructured ? 'PDF with e-invoice' : 'PDF';
}
