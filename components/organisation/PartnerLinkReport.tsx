import reportStyles from '../../static/css/reports.css?text';
import { useSite } from '../api/site';
import type { ReportProps } from '../contracts/schema';
import { ReportFigures } from '../reports/ReportFigures';
import { Chart } from '../ui/chart/Chart';
import { EmptyState } from '../ui/EmptyState';
import { ShortTable } from '../ui/table/ShortTable';
import { tableFormatOf } from '../ui/table/TableCell';
import { useStyles } from '../ui/useStyles';

type PartnerLinkReportProps = { report: ReportProps['partnerLink'] };

/** What the partner link of an organisation brought; before the first month is counted, how to share it. */
export function PartnerLinkReport({ report }: PartnerLinkReportProps) {
  useStyles(reportStyles);
  const site = useSite();
  const { link, month, note, figures, chart, table, csvHref } = report;
  return (
    <section className="area-part report__body" id="partner-link" aria-labelledby="partner-report">
      <h2 className="heading-m" id="partner-report">
        {month ? `Your partner link in ${month}` : 'Your partner link'}
      </h2>
      {chart ? (
        <>
          <p className="muted">{note}</p>
          <ReportFigures figures={figures} />
          <Chart chart={chart} site={site} />
          <ShortTable table={table} format={tableFormatOf(site)} />
          {csvHref && (
            <p className="report__file">
              <a className="button button--quiet" href={csvHref} download>
                Download these months as CSV
              </a>
            </p>
          )}
        </>
      ) : (
        <EmptyState
          title="No month is counted yet"
          text="Put this address on your website, in a newsletter or on a poster: whoever follows it becomes no member, and is counted here. The first month is shown a few days after it is over."
          isSmall
        >
          <p className="shared-link__address">{link}</p>
        </EmptyState>
      )}
    </section>
  );
}
