import { ActionForm } from '../../../admin/actions/ActionForm';
import { useSite } from '../../../api/site';
import type { SearchesProps } from '../../../contracts/schema';
import { Chart } from '../../../ui/chart/Chart';
import { LinkRow } from '../../../ui/LinkRow';
import { ShortTable } from '../../../ui/table/ShortTable';
import { tableFormatOf } from '../../../ui/table/TableCell';

export function AdminSearchesPage({
  title,
  csvHref,
  weeks,
  others,
  report,
  actions,
  chart,
  table,
}: SearchesProps) {
  const site = useSite();
  return (
    <div className="area-page">
      <h1>{title}</h1>
      <nav aria-label="Weeks">
        <LinkRow links={weeks} />
      </nav>
      {actions.map((action) => (
        <ActionForm key={action.title} action={action} />
      ))}
      <section className="area-part" aria-labelledby="all-searches">
        <h2 className="heading-m" id="all-searches">
          All searches
        </h2>
        <Chart chart={chart} site={site} />
      </section>
      <ShortTable table={table} format={tableFormatOf(site)} />
      <p>
        <a className="button button--quiet" href={others.href}>
          {others.text}
        </a>{' '}
        {report && (
          <>
            <a className="button button--quiet" href={report.href}>
              {report.text}
            </a>{' '}
          </>
        )}
        {csvHref && (
          <a className="button button--quiet" href={csvHref} download>
            Download as CSV
          </a>
        )}
      </p>
    </div>
  );
}
