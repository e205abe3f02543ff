import { useSite } from '../../api/site';
import type { CouponLabQuote } from '../../contracts/schema';
import { ShortTable, type TableAlone } from '../../ui/table/ShortTable';
import { tableFormatOf } from '../../ui/table/TableCell';

type Cell = TableAlone['rows'][number][number];

const text = (value: string): Cell => ({ kind: 'text', text: value });
const money = (minor: number): Cell => ({ kind: 'money', minor });

/** A quote of the lab: how each price came about, what else applied, and why codes were refused. */
export function LabResult({ quote }: { quote: CouponLabQuote }) {
  const format = tableFormatOf(useSite());
  return (
    <div className="area-page">
      {tablesOf(quote).map((table) => (
        <ShortTable key={table.id} table={table} format={format} />
      ))}
      {quote.unavailable.length > 0 && (
        <p className="muted">{`Not sold to them: ${quote.unavailable.join(', ')}.`}</p>
      )}
    </div>
  );
}

function tablesOf({
  lines,
  refusals,
  subtotalMinor,
  discountMinor,
  totalMinor,
}: CouponLabQuote): TableAlone[] {
  const product = { key: 'product', label: 'Product', kind: 'text' } as const;
  const total = { key: 'total', label: 'Price after it', kind: 'money' } as const;
  return [
    {
      id: 'totals',
      title: 'Totals before tax and delivery',
      columns: [
        { key: 'sum', label: 'Sum', kind: 'text' },
        { key: 'amount', label: 'Amount', kind: 'money' },
      ],
      rows: [
        [text('Subtotal'), money(subtotalMinor)],
        [text('Discount of the cart'), money(0 - discountMinor)],
        [text('Total'), money(totalMinor)],
      ],
      empty: '',
    },
    {
      id: 'steps',
      title: 'How the prices come about',
      columns: [
        product,
        { key: 'step', label: 'Step', kind: 'text' },
        { key: 'change', label: 'Change', kind: 'money' },
        total,
      ],
      rows: lines.flatMap(({ name, quantity, steps }) =>
        steps.map((step) => [
          text(`${quantity} × ${name}`),
          text(step.text),
          money(step.changeMinor),
          money(step.totalMinor),
        ]),
      ),
      empty: 'No product is sold to them.',
    },
    {
      id: 'rejected',
      title: 'Offers that were not used',
      columns: [
        product,
        { key: 'offer', label: 'Offer', kind: 'text' },
        { key: 'why', label: 'Why', kind: 'text' },
        { ...total, label: 'Price with it' },
      ],
      rows: lines.flatMap(({ name, rejectedOffers }) =>
        rejectedOffers.map((offer) => [
          text(name),
          text(offer.name),
          text(offer.message),
          money(offer.totalMinor),
        ]),
      ),
      empty: 'There were none.',
    },
    {
      id: 'refusals',
      title: 'Refused codes',
      columns: [
        { key: 'code', label: 'Code', kind: 'text' },
        { ...product, label: 'On' },
        { key: 'why', label: 'Why', kind: 'text' },
      ],
      rows: refusals.map(({ code, product: name, message }) => [
        text(code),
        text(name ?? 'The whole cart'),
        text(message),
      ]),
      empty: 'No code was refused.',
    },
  ];
}
