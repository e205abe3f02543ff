import type { VisitReportProps } from '../contracts/schema';
import { Icon } from '../ui/Icon';
import { LinkRow } from '../ui/LinkRow';
import { closeAfterLink, closeSheet } from './sheets';

type ReportForm = NonNullable<VisitReportProps['form']>;
type ReportControlsProps = {
  presets: VisitReportProps['presets'];
  form: ReportForm;
  /** Writes a day in short. */
  day: (iso: string) => string;
};

const SHEET = 'report-choices';

/**
 * The period, what it is compared with, and whose visits: links and one form, so that all of it is in the address. On
 * narrow screens a line says what is chosen, and opens them as a sheet.
 */
export function ReportControls({ presets, form, day }: ReportControlsProps) {
  const { path, since, until, today, fields, hidden, saveHref } = form;
  // Another address has other values in the fields. More choices leave alone what somebody is choosing.
  const values = JSON.stringify([path, since, until, hidden, fields.map(({ name, value }) => [name, value])]);
  return (
    <section className="report-controls" aria-label={since ? 'Period and comparison' : 'What is shown'}>
      <ChoicesButton presets={presets} form={form} day={day} />
      <div key={values} id={SHEET} className="report-choices" popover="auto">
        {/* biome-ignore lint/a11y/noStaticElementInteractions lint/a11y/useKeyWithClickEvents: a link that is followed, also by keyboard, closes the sheet around it */}
        <div className="report-choices__bar" onClick={closeAfterLink}>
          <ReportLinks label="Periods" links={presets} />
          <a className="button button--quiet report-choices__save" href={saveHref}>
            Save view
          </a>
        </div>
        <form
          className="report-controls__form"
          method="get"
          action={path}
          data-navigate=""
          onSubmit={({ currentTarget }) => closeSheet(currentTarget)}
          aria-label={since ? 'Choose a period' : 'Choose what is shown'}
        >
          {hidden.map(({ name, value }) => (
            <input key={`${name} ${value}`} type="hidden" name={name} value={value} />
          ))}
          {since && <DayField name="from" label="First day" value={since} max={today} />}
          {until && <DayField name="to" label="Last day" value={until} max={today} />}
          {fields.map((field) => (
            <ChoiceField key={field.name} field={field} />
          ))}
          <button type="submit" className="button button--quiet report-controls__show">
            Show
          </button>
        </form>
      </div>
    </section>
  );
}

/** What is chosen in one line, for narrow screens. */
function ChoicesButton({ presets, form: { since, until, fields }, day }: ReportControlsProps) {
  const days = [...new Set([since, until])].filter(Boolean).map(day);
  const chosen = fields
    .filter(({ name }) => name !== 'sort')
    .map(
      ({ label, value, options }) => `${label}: ${options.find((option) => option.value === value)?.label}`,
    );
  const preset = presets.find(({ isCurrent }) => isCurrent)?.text;
  const [first = 'What is shown', ...others] = [
    ...(days.length > 0 ? [days.join(' – ')] : []),
    ...(preset ? [preset] : []),
    ...chosen,
  ];
  return (
    <button type="button" className="report-choices__open" popoverTarget={SHEET}>
      <Icon name="sliders" />
      <span className="report-choices__first">{first}</span>
      {others.length > 0 && <span className="report-choices__others">{others.join(' · ')}</span>}
    </button>
  );
}

function ChoiceField({ field: { name, label, value, options } }: { field: ReportForm['fields'][number] }) {
  return (
    <div className="field">
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
  );
}

type DayFieldProps = { name: string; label: string; value: string; max: string };

function DayField({ name, label, value, max }: DayFieldProps) {
  return (
    <div className="field report-controls__day">
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
