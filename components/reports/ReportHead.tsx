import type { VisitReportProps } from '../contracts/schema';
import { ReportLinks } from './ReportControls';

type ReportHeadProps = Pick<VisitReportProps, 'heading' | 'about' | 'reports' | 'ignored' | 'chosen'>;

/** What the page is of, and the other reports over the same period. */
export function ReportHead({ heading, about, reports, ignored, chosen }: ReportHeadProps) {
  return (
    <>
      <div>
        <h1>{heading}</h1>
        <p className="muted">{about}</p>
      </div>
      <ReportLinks label="Reports" links={reports} />
      {ignored.length > 0 && (
        <p role="status">{`The address has values that this report does not know, so it shows the usual ones: ${ignored.join(', ')}.`}</p>
      )}
      {chosen && (
        <p className="report-chosen">
          <strong>{chosen.text}</strong> <a href={chosen.href}>Show all</a>
        </p>
      )}
    </>
  );
}
