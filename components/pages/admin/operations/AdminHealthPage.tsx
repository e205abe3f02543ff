import { ActionForm } from '../../../admin/actions/ActionForm';
import { FactList } from '../../../admin/FactList';
import { HealthPicture } from '../../../admin/health/HealthPicture';
import { useSite } from '../../../api/site';
import type { HealthProps } from '../../../contracts/schema';
import { Chart } from '../../../ui/chart/Chart';
import { StaffTime, useZone } from '../../../ui/StaffTime';
import { ShortTable } from '../../../ui/table/ShortTable';
import { tableFormatOf } from '../../../ui/table/TableCell';

export function AdminHealthPage({
  title,
  note,
  at,
  groups,
  facts,
  upkeep,
  tables,
  charts,
  actions,
}: HealthProps) {
  const site = useSite();
  const format = tableFormatOf(site);
  const zone = useZone();
  return (
    <div className="area-page">
      <header className="area-page__head row">
        <h1>{title}</h1>
        {at && (
          <p className="muted">
            As of <StaffTime at={at} format={format.time} />
            {` ${zone.name}`}
          </p>
        )}
      </header>
      {note ? <p className="area-box">{note}</p> : <HealthPicture groups={groups} />}
      {facts.length > 0 && <FactList facts={facts} format={format} />}
      <ShortTable table={upkeep} format={format} />
      {actions.map((action) => (
        <ActionForm key={action.id} action={action} frame="fold" />
      ))}
      {charts.length > 0 && (
        <section className="area-part" aria-labelledby="last-day">
          <h2 className="heading-m" id="last-day">
            The last day
          </h2>
          <div className="area-charts">
            {charts.map((chart) => (
              <Chart key={chart.title} chart={chart} site={site} />
            ))}
          </div>
        </section>
      )}
      {tables.map((table) => (
        <ShortTable key={table.id} table={table} format={format} />
      ))}
    </div>
  );
}
