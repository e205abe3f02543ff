import type { VisitReportProps } from '../contracts/schema';
import { Icon } from '../ui/Icon';
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
        <section aria-label="Filters in force">
          <ul className="report-chosen">
            {chosen.filters.map(({ text, href }) => (
              <li key={href}>
                <a className="report-chosen__filter" href={href}>
                  <span className="sr-only">Remove filter </span>
                  {text}
                  <Icon name="close" />
                </a>
              </li>
            ))}
            <li>
              <a className="report-chosen__all" href={chosen.href}>
                Show all
              </a>
            </li>
          </ul>
        </section>
      )}
    </>
  );
}
