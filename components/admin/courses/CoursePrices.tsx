import type { ReactNode } from 'react';
import { withdrawPrice } from '../../api/admin/courses';
import { useRefresh } from '../../api/session/privatePage';
import { useSite } from '../../api/site';
import type { CoursePriceProps, PriceRow } from '../../contracts/schema';
import { formatOf } from '../../format/format';
import { apiErrorText } from '../../forms/call/apiErrorText';
import { Button } from '../../ui/controls/Button';
import { useZone } from '../../ui/StaffTime';
import { CellContent, tableFormatOf } from '../../ui/table/TableCell';
import { notify } from '../../ui/toasts/toasts';
import { ActionForm } from '../actions/ActionForm';

/** What a course costs now, what is planned, and what it cost before. */
export function CoursePrices(props: CoursePriceProps) {
  const { frame, now, listPrice, lowest, lowestDays, planned, past, form, mayWithdraw } = props;
  const format = formatOf(useSite());
  const refresh = useRefresh();

  async function withdraw({ id }: PriceRow) {
    try {
      const { text } = await withdrawPrice(id);
      void notify('success', text);
      await refresh();
    } catch (problem) {
      void notify('error', apiErrorText(problem));
    }
  }

  return (
    <>
      <dl className="area-facts">
        <div className="area-facts__fact">
          <dt>Price now</dt>
          <dd>{format.money(now)}</dd>
        </div>
        <div className="area-facts__fact">
          <dt>List price</dt>
          <dd>{format.money(listPrice)}</dd>
        </div>
        {lowest !== null && (
          <div className="area-facts__fact">
            <dt>{`Lowest price of the ${lowestDays} days before the sale`}</dt>
            <dd>{format.money(lowest)}</dd>
          </div>
        )}
      </dl>
      <PriceTable
        id="planned"
        title="Planned"
        empty="No other price is planned."
        rows={planned}
        {...(mayWithdraw && {
          action: (row: PriceRow) => (
            <Button
              variant="quiet"
              label={`Withdraw the price of ${format.date(row.startsAt)}`}
              onClick={() => void withdraw(row)}
            >
              Withdraw
            </Button>
          ),
        })}
      />
      {form ? (
        <ActionForm key={frame.version} action={form} />
      ) : (
        <p className="muted">Prices of what is on sale are set by finance.</p>
      )}
      <PriceTable id="past" title="Until now" empty="The price has not changed yet." rows={past} />
    </>
  );
}

type PriceTableProps = {
  id: string;
  title: string;
  empty: string;
  rows: PriceRow[];
  /** What can be done with a row. */
  action?: (row: PriceRow) => ReactNode;
};

/** Prices of one product in the order of the host. */
function PriceTable({ id, title, empty, rows, action }: PriceTableProps) {
  const site = useSite();
  const format = formatOf(site);
  const zone = useZone();
  const [from, ends] = [`From ${zone.name}`, `Sale ends ${zone.name}`];
  const time = (at: string | null, label: string) =>
    at && <CellContent cell={{ kind: 'time', at }} label={label} format={tableFormatOf(site)} />;
  return (
    <section className="area-part" id={id} aria-labelledby={`${id}-title`}>
      <h2 className="heading-m" id={`${id}-title`}>
        {title}
      </h2>
      {rows.length === 0 ? (
        <p className="muted">{empty}</p>
      ) : (
        <div className="table">
          <table className="table__table" aria-labelledby={`${id}-title`}>
            <thead>
              <tr>
                {[from, 'List price', 'Sale price', ends, 'By', 'Reason'].map((label) => (
                  <th key={label} scope="col">
                    {label}
                  </th>
                ))}
                {action && <th scope="col">Action</th>}
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => (
                <tr key={row.id} className="table__row">
                  <th scope="row" data-label={from}>
                    {time(row.startsAt, 'From')}
                  </th>
                  <td data-label="List price">{format.money(row.listPrice)}</td>
                  <td data-label="Sale price">
                    {row.salePrice === null ? '–' : format.money(row.salePrice)}
                  </td>
                  <td data-label={ends}>{time(row.endsAt, 'Sale ends') ?? '–'}</td>
                  <td data-label="By">{row.by ?? 'The new draft, a command or an import'}</td>
                  <td data-label="Reason">{row.reason || '–'}</td>
                  {action && <td data-label="Action">{action(row)}</td>}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}
