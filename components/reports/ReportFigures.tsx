import type { VisitReportProps } from '../contracts/schema';

type Figure = VisitReportProps['figures'][number];

/** The figures of a period, each with its change and what it means. */
export function ReportFigures({ figures }: Pick<VisitReportProps, 'figures'>) {
  return (
    <ul className="report-figures" aria-label="Figures">
      {figures.map((figure) => (
        <li key={figure.key} className="report-figure">
          <FigureBody figure={figure} />
        </li>
      ))}
    </ul>
  );
}

function FigureBody({ figure: { label, value, change, range, meaning, example } }: { figure: Figure }) {
  return (
    <>
      <p className="report-figure__label">{label}</p>
      <p className="report-figure__value">{value}</p>
      {change && <p className="hint">{change}</p>}
      {range && <p className="hint">{range}</p>}
      <details className="report-figure__about">
        <summary className="report-figure__question">
          <span aria-hidden="true">?</span>
          <span className="sr-only">{`What “${label}” means`}</span>
        </summary>
        <div className="report-figure__text">
          <p>{meaning}</p>
          <p>{`For example: ${example}`}</p>
        </div>
      </details>
    </>
  );
}

/** What those columns of the table mean that are no figures above it. */
export function ColumnMeanings({ columns }: Pick<VisitReportProps, 'columns'>) {
  if (columns.length === 0) return null;
  return (
    <details className="report-columns">
      <summary>What the columns mean</summary>
      <dl className="report-columns__list">
        {columns.map(({ label, meaning, example }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{`${meaning} For example: ${example}`}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
