import type { ChartProps } from '../../contracts/schema';
import { Swatch } from './ChartMarks';
import type { ChartFormat } from './chartLabels';

type ChartReadoutProps = { id: string; chart: ChartProps; format: ChartFormat; index: number };

/** The legend, with the values at one point: a box beside the pointer would cover the lines. */
export function ChartReadout({ id, chart, format, index }: ChartReadoutProps) {
  const label = chart.points.labels[index];
  return (
    <div className="chart__readout row">
      <p className="chart__point">
        {label !== undefined && format.point(label)}
        {isUnfinished(chart, index) && <span className="hint"> (not finished)</span>}
      </p>
      <ul className="chart__legend row">
        {chart.series.map((series, place) => (
          <li key={series.label} className="chart__entry">
            <Swatch id={id} series={series} place={place} isBar={chart.kind !== 'line'} />
            <span>{series.label}</span>
            <strong className="chart__value">{format.value(series.values[index] ?? null)}</strong>
          </li>
        ))}
      </ul>
    </div>
  );
}

export function isUnfinished({ unfinishedFrom }: ChartProps, index: number): boolean {
  return unfinishedFrom !== undefined && index >= unfinishedFrom;
}

/** The values at one point of the chart in one sentence, for the slider. */
export function readoutText(chart: ChartProps, format: ChartFormat, index: number): string {
  const values = chart.series.map(({ label, values }) => `${label} ${format.value(values[index] ?? null)}`);
  const point = format.point(chart.points.labels[index] ?? '');
  return `${point}${isUnfinished(chart, index) ? ', not finished' : ''}: ${values.join(', ')}`;
}
