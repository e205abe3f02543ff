import type { AdminRefundPreview } from '../../contracts/schema';
import type { Format } from '../../format/format';

type RefundPreviewProps = { preview: AdminRefundPreview; keepsAccess: boolean; format: Format };

/** What a refund sends and ends, before it is made. */
export function RefundPreview({ preview, keepsAccess, format }: RefundPreviewProps) {
  const { lines, ends } = preview;
  return (
    <section className="area-box" aria-label="What this refund does">
      <p>
        <strong>{`${format.money(preview.amountMinor)} goes back.`}</strong>
      </p>
      <ul className="list">
        {lines.map(({ name, quantity, amountMinor }) => (
          <li key={name}>{`${quantity} × ${name}: ${format.money(amountMinor)}`}</li>
        ))}
        {ends.map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
      {ends.length === 0 && (
        <p className="muted">{keepsAccess ? 'Everything stays valid.' : 'Nothing ends with it.'}</p>
      )}
    </section>
  );
}
