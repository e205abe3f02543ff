import { withdrawPrice } from '../../api/admin/courses';
import { useRefresh } from '../../api/session/privatePage';
import { useSite } from '../../api/site';
import type { CoursePriceProps, PriceRow } from '../../contracts/schema';
import { formatOf } from '../../format/format';
import { apiErrorText } from '../../forms/call/apiErrorText';
import { Button } from '../../ui/controls/Button';
import { notify } from '../../ui/toasts/toasts';
import { ActionForm } from '../actions/ActionForm';
import { PriceTable } from './PriceTable';

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
