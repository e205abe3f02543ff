import type { OrderTransfer as Transfer } from '../contracts/schema';
import type { Format } from '../format/format';

/** What follows, where the panel says the rest. */
export const TRANSFER_TEXT =
  'What you ordered begins when the money is here: we email you. Transfer it with the reference, without which we cannot see what it is for.';

/** Where the money for an order is transferred, with a code for banking apps. */
export function OrderTransfer({ transfer, format }: { transfer: Transfer; format: Format }) {
  const { account, reference, due, received, untilText, code } = transfer;
  const parts = [
    ...account,
    { label: 'Reference', text: reference },
    { label: received ? 'Still to transfer' : 'Amount', text: format.money(due) },
    { label: 'Here by', text: untilText },
  ];
  return (
    <div className="order-transfer">
      <dl className="order-transfer__parts">
        {parts.map(({ label, text }) => (
          <div key={label + text}>
            <dt>{label}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
      {code && (
        <figure className="order-transfer__code">
          <svg
            viewBox={`-4 -4 ${code.size + 8} ${code.size + 8}`}
            role="img"
            aria-label="Payment code with account, amount and reference"
          >
            <rect x="-4" y="-4" width={code.size + 8} height={code.size + 8} fill="#fff" />
            <path d={code.path} fill="#000" />
          </svg>
          <figcaption>Scan it with your banking app.</figcaption>
        </figure>
      )}
    </div>
  );
}
