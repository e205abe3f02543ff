import { useLayoutEffect, useRef } from 'react';
import type { VisitReportProps } from '../contracts/schema';

type ReportControlsProps = {
  presets: VisitReportProps['presets'];
  form: NonNullable<VisitReportProps['form']>;
};

/** The period, what it is compared with, and whose visits: links and one form, so that all of it is in the address. */
export function ReportControls({ presets, form }: ReportControlsProps) {
  const { path, since, until, today, fields, hidden, saveHref } = form;
  // Another address has other values in the fields. More choices leave alone what somebody is choosing.
  const values = JSON.stringify([path, since, until, hidden, fields.map(({ name, value }) => [name, value])]);
  return (
    <section className="report-controls" aria-label={since ? 'Period and comparison' : 'What is shown'}>
      <ReportLinks label="Periods" links={presets} />
      <form
        key={values}
        className="report-controls__form"
        method="get"
        action={path}
        data-navigate=""
        aria-label={since ? 'Choose a period' : 'Choose what is shown'}
      >
        {hidden.map(({ name, value }) => (
          <input key={`${name} ${value}`} type="hidden" name={name} value={value} />
        ))}
        {since && <DayField name="from" label="First day" value={since} max={today} />}
        {until && <DayField name="to" label="Last day" value={until} max={today} />}
        {fields.map(({ name, label, value, options }) => (
          <div key={name} className="field">
            <label className="field__label" htmlFor={`report-${name}`}>
              {label}
            </label>
            <select className="field__input" id={`report-${name}`} name={name} defaultValue={value}>
              {options.map((option) => (
                <option key={option.value} value={option.value}>
                  {option.label}
                </option>
              ))}
            </select>
          </div>
        ))}
        <button type="submit" className="button button--quiet">
          Show
        </button>
        <a className="button button--quiet" href={saveHref}>
          Save view
        </a>
      </form>
    </section>
  );
}

type DayFieldProps = { name: string; label: string; value: string; max: string };

function DayField({ name, label, value, max }: DayFieldProps) {
  return (
    <div className="field">
      <label className="field__label" htmlFor={`report-${name}`}>
        {label}
      </label>
      <input
        className="field__input"
        id={`report-${name}`}
        name={name}
        type="date"
        defaultValue={value}
        max={max}
        required
      />
    </div>
  );
}

type ReportLinksProps = { label: string; links: VisitReportProps['presets'] };

/** A row of links of which one is where the page is. */
export function ReportLinks({ label, links }: ReportLinksProps) {
  if (links.length === 0) return null;
  return (
    <nav className="report-links" aria-label={label}>
      <LinkRow links={links} />
    </nav>
  );
}

/** Where the row is wider than the window, the current link is in view. */
export function LinkRow({ links }: { links: VisitReportProps['presets'] }) {
  const row = useRef<HTMLUListElement>(null);
  const current = links.findIndex(({ isCurrent }) => isCurrent);
  useLayoutEffect(() => {
    const link = row.current?.children[current];
    if (!row.current || !link) return;
    const [own, all] = [link.getBoundingClientRect(), row.current.getBoundingClientRect()];
    row.current.scrollLeft += (own.left + own.right - all.left - all.right) / 2;
  }, [current]);
  return (
    <ul className="area-weeks" ref={row}>
      {links.map(({ text, href, isCurrent }) => (
        <li key={href}>
          <a className="area-weeks__week" href={href} aria-current={isCurrent ? 'page' : undefined}>
            {text}
          </a>
        </li>
      ))}
    </ul>
  );
}
