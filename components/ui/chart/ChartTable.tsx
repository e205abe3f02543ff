import type { ChartProps } from '../../contracts/schema';
import { isUnfinished } from './ChartReadout';
import type { ChartFormat } from './chartLabels';

const POINT_HEADINGS = { day: 'Day', month: 'Month', time: 'From', category: 'Name' } as const;

type ChartTableProps = { chart: ChartProps; format: ChartFormat };

/** The numbers of a chart, in words of the same precision as in its file. */
export function ChartTable({ chart, format }: ChartTableProps) {
  return (
    <details className="chart__numbers">
      <summary>The numbers as a table</summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard */}
      <section className="chart__scroll" aria-label={`Numbers of ${chart.title}`} tabIndex={0}>
        <table className="chart__table">
          <caption className="sr-only">{`${chart.title}, ${chart.unitLabel}, ${chart.period}`}</caption>
          <thead>
            <tr>
              <th scope="col">{POINT_HEADINGS[chart.points.kind]}</th>
              {chart.series.map(({ label }) => (
                <th key={label} scope="col">
                  {label}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {chart.points.labels.map((label, index) => (
              <tr key={label}>
                <th scope="row">
                  {format.point(label)}
                  {isUnfinished(chart, index) && <span className="hint"> (not finished)</span>}
                </th>
                {chart.series.map((series) => (
                  <td key={series.label}>{format.value(series.values[index] ?? null)}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </details>
  );
}
