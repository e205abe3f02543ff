import reportStyles from '../../../static/css/reports.css?text';
import { useSite } from '../../api/site';
import type { VisitReportProps } from '../../contracts/schema';
import { formatOf } from '../../format/format';
import { LiveRefresh } from '../../reports/LiveRefresh';
import { ReportControls, ReportLinks } from '../../reports/ReportControls';
import { ColumnMeanings, ReportFigures } from '../../reports/ReportFigures';
import { ReportHead } from '../../reports/ReportHead';
import { ReportNotes } from '../../reports/ReportNotes';
import { ReportProgress } from '../../reports/ReportProgress';
import { Chart } from '../../ui/chart/Chart';
import { EmptyState } from '../../ui/EmptyState';
import { Pagination } from '../../ui/Pagination';
import { ShortTable } from '../../ui/table/ShortTable';
import { tableFormatOf } from '../../ui/table/TableCell';
import { useStyles } from '../../ui/useStyles';

/** A report about visits: figures, a chart and rows that lead on to reports of one value. */
export function AdminReportPage(props: VisitReportProps) {
  useStyles(reportStyles);
  const site = useSite();
  const format = tableFormatOf(site);
  const {
    figures,
    chart,
    levels,
    table,
    columns,
    pages,
    csvHref,
    parquetHref,
    empty,
    notes,
    builtAt,
    progress,
    refreshS,
  } = props;
  return (
    <div className="area-page report">
      <ReportHead {...props} />
      {refreshS && builtAt && <LiveRefresh at={builtAt} seconds={refreshS} count={format.count} />}
      {props.form && <ReportControls presets={props.presets} form={props.form} day={format.day} />}
      {/* Always there, so that changes are announced. */}
      <div className="report__news" aria-live="polite">
        {progress && <ReportProgress progress={progress} />}
      </div>
      {empty ? (
        <EmptyState title={progress?.isBlank ? progress.title : 'Nothing to show'} text={empty} isSmall>
          {progress?.isBlank && <p className="muted">{progress.advice}</p>}
        </EmptyState>
      ) : (
        <div key={props.heading} className="report__body">
          <ReportFigures figures={figures} />
          <section className="area-part" aria-labelledby="over-time">
            <h2 className="heading-m" id="over-time">
              {chart.points.kind === 'category' ? 'At a glance' : 'Over time'}
            </h2>
            <Chart chart={chart} site={site} />
          </section>
          <ReportLinks label="Rows by" links={levels} />
          <ShortTable table={table} format={format} />
          <ColumnMeanings columns={columns} />
          <Pagination pagination={pages} format={formatOf(site)} />
          {csvHref && (
            <p className="report__file">
              <a className="button button--quiet" href={csvHref} download="">
                {progress ? 'Download what is computed as CSV' : 'Download as CSV'}
              </a>
              {parquetHref && (
                <a className="button button--quiet" href={parquetHref} download="">
                  Download as Parquet
                </a>
              )}
            </p>
          )}
        </div>
      )}
      <ReportNotes notes={notes} format={format} {...(builtAt && { builtAt })} />
    </div>
  );
}
