import { ActionForm } from '../../../admin/actions/ActionForm';
import { useSite } from '../../../api/site';
import type { SeatsPageProps } from '../../../contracts/schema';
import { DataTable } from '../../../ui/table/DataTable';
import { ShortTable } from '../../../ui/table/ShortTable';
import { tableFormatOf } from '../../../ui/table/TableCell';
import { SeatForecast } from './SeatForecast';

export function OrganizationSeatsPage({ title, table, forecast, waiting, actions, mayBuy }: SeatsPageProps) {
  const site = useSite();
  return (
    <div className="area-page">
      <header className="area-page__head row">
        <h1>{title}</h1>
        {mayBuy && (
          <a className="button button--quiet" href="/organization/seats/buy">
            Buy seats
          </a>
        )}
      </header>
      <SeatForecast forecast={forecast} format={tableFormatOf(site)} />
      <DataTable table={table} site={site} />
      <ShortTable table={waiting} format={tableFormatOf(site)} />
      {actions.length > 0 && (
        <div className="area-forms">
          {actions.map((action) => (
            <ActionForm key={action.id} action={action} />
          ))}
        </div>
      )}
    </div>
  );
}
