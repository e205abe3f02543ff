import type { VisitReportProps } from '../contracts/schema';
import { Icon } from '../ui/Icon';
import { LinkRow } from '../ui/LinkRow';
import { closeAfterLink } from './sheets';

type ReportHeadProps = Pick<VisitReportProps, 'heading' | 'about' | 'reports' | 'ignored' | 'chosen'>;

const LIST = 'report-list';

/** What the page is of, and the other reports over the same period. */
export function ReportHead({ heading, about, reports, ignored, chosen }: ReportHeadProps) {
  return (
    <>
      <div className="report-head">
        <h1>{heading}</h1>
        <button type="button" className="report-head__open button button--quiet" popoverTarget={LIST}>
          <Icon name="menu" />
          Reports
        </button>
        <p className="report-head__about muted">{about}</p>
      </div>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: a link that is followed, also by keyboard, closes the sheet around it */}
      <nav id={LIST} className="report-groups" aria-label="Reports" popover="auto" onClick={closeAfterLink}>
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
