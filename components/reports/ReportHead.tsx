import type { VisitReportProps } from '../contracts/schema';
import { LinkRow } from './ReportControls';

type ReportHeadProps = Pick<VisitReportProps, 'heading' | 'about' | 'reports' | 'ignored' | 'chosen'>;

/** What the page is of, and the other reports over the same period. */
export function ReportHead({ heading, about, reports, ignored, chosen }: ReportHeadProps) {
  return (
    <>
      <div>
        <h1>{heading}</h1>
        <p className="muted">{about}</p>
      </div>
      <nav className="report-groups" aria-label="Reports">
        {reports.map(({ title, links }) => (
          <div key={title} className="report-groups__group">
            <h2 className="report-groups__title">{title}</h2>
            <LinkRow links={links} />
          </div>
        ))}
      </nav>
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
