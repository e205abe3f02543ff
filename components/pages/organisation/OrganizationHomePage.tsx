import tableStyles from '../../../static/css/table.css?text';
import { FactList } from '../../admin/FactList';
import { WaitingWork } from '../../admin/home/WaitingWork';
import { useSite } from '../../api/site';
import type { OrganisationHomeProps } from '../../contracts/schema';
import { ShortTable } from '../../ui/table/ShortTable';
import { tableFormatOf } from '../../ui/table/TableCell';
import { useStyles } from '../../ui/useStyles';

export function OrganizationHomePage({
  heading,
  facts,
  seats,
  forecast,
  waiting,
  contracts,
}: OrganisationHomeProps) {
  // Badges of the contracts.
  useStyles(tableStyles);
  const format = tableFormatOf(useSite());
  return (
    <div className="area-page">
      <h1>{heading}</h1>
      <WaitingWork waiting={waiting} />
      <section className="area-part" aria-labelledby="seats-title">
        <h2 className="heading-m" id="seats-title">
          Seats
        </h2>
        <FactList facts={seats} format={format} />
        {forecast.length > 0 && (
          <>
            <p>{forecast.join(' ')}</p>
            <p>
              <a href="/organization/seats#forecast">Which seats, and how this is reckoned</a>
            </p>
          </>
        )}
      </section>
      <section className="area-part" aria-labelledby="people-title">
        <h2 className="heading-m" id="people-title">
          People
        </h2>
        <FactList facts={facts} format={format} />
      </section>
      <ShortTable table={contracts} format={format} />
    </div>
  );
}
