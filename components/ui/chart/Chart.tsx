import { type RefObject, useId, useLayoutEffect, useRef, useState } from 'react';
import chartStyles from '../../../static/css/chart.css?text';
import type { ChartProps, SiteProps } from '../../contracts/schema';
import { useStyles } from '../useStyles';
import { Swatch } from './ChartMarks';
import { ChartPlot } from './ChartPlot';
import { type ChartFormat, chartFormatOf } from './chartLabels';
import { layoutOf } from './chartLayout';

type Props = { chart: ChartProps; site: SiteProps };

/**
 * Lines or bars over at most 400 points, with a readout by pointer and keyboard and the same numbers as a table. More
 * points need a canvas, which this is not.
 */
export function Chart({ chart, site }: Props) {
  useStyles(chartStyles);
  const format = chartFormatOf(chart.unit, chart.points.kind, site);
  const hasValues = chart.series.some(({ values }) => values.some((value) => value !== null));
  return (
    <figure className="chart">
      <figcaption>
        <h3 className="chart__title">{chart.title}</h3>
        <p className="hint">{`${chart.unitLabel} · ${chart.period}`}</p>
        {hasValues && <p className="chart__summary">{chart.summary}</p>}
      </figcaption>
      {hasValues ? (
        <>
          <ChartStage chart={chart} format={format} />
          <div className="chart__foot row">
            <ChartTable chart={chart} format={format} />
            {chart.csvHref && (
              <a className="chart__file" href={chart.csvHref} download="">
                Download as CSV
              </a>
            )}
          </div>
        </>
      ) : (
        <p className="chart__empty">{chart.empty}</p>
      )}
    </figure>
  );
}

/** The picture under a slider: arrow keys, Home and End move along the points, as the pointer does. */
function ChartStage({ chart, format }: { chart: ChartProps; format: ChartFormat }) {
  const id = useId();
  const stage = useRef<HTMLDivElement>(null);
  const width = useWidth(stage);
  const [cursor, setCursor] = useState<number | null>(null);
  const layout = layoutOf(chart, format, width);
  const last = chart.points.labels.length - 1;
  const index = Math.min(cursor ?? last, last);
  return (
    <>
      <ChartReadout id={id} chart={chart} format={format} index={index} />
      <div className="chart__stage" ref={stage}>
        <input
          className="chart__slider"
          type="range"
          min={0}
          max={last}
          value={index}
          aria-label={`Point of ${chart.title}`}
          aria-valuetext={readoutText(chart, format, index)}
          onChange={(event) => setCursor(event.target.valueAsNumber)}
          onFocus={() => setCursor(index)}
          onBlur={() => setCursor(null)}
        />
        <ChartPlot
          id={id}
          chart={chart}
          format={format}
          layout={layout}
          cursor={cursor === null ? null : index}
          onCursor={setCursor}
        />
      </div>
      {chart.unfinishedFrom !== undefined && (
        <p className="hint">Hatched: not finished, these values will still change.</p>
      )}
    </>
  );
}

/** Until the browser has measured, and on the server. The picture is then scaled as a whole. */
const FIRST_WIDTH = 720;
const MIN_WIDTH = 240;

/** Width of an element in pixels, so that texts in a picture of this width are as large as those around it. */
function useWidth(element: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(FIRST_WIDTH);
  useLayoutEffect(() => {
    const box = element.current;
    if (!box) return;
    const measure = () => setWidth(Math.max(Math.round(box.clientWidth) || FIRST_WIDTH, MIN_WIDTH));
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(box);
    return () => observer.disconnect();
  }, [element]);
  return width;
}

const POINT_HEADINGS = { day: 'Day', month: 'Month', time: 'From', category: 'Name' } as const;

type ChartTableProps = { chart: ChartProps; format: ChartFormat };

/** The numbers of a chart, in words of the same precision as in its file. */
function ChartTable({ chart, format }: ChartTableProps) {
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

type ChartReadoutProps = { id: string; chart: ChartProps; format: ChartFormat; index: number };

/** The legend, with the values at one point: a box beside the pointer would cover the lines. */
function ChartReadout({ id, chart, format, index }: ChartReadoutProps) {
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

function isUnfinished({ unfinishedFrom }: ChartProps, index: number): boolean {
  return unfinishedFrom !== undefined && index >= unfinishedFrom;
}

/** The values at one point of the chart in one sentence, for the slider. */
function readoutText(chart: ChartProps, format: ChartFormat, index: number): string {
  const values = chart.series.map(({ label, values }) => `${label} ${format.value(values[index] ?? null)}`);
  const point = format.point(chart.points.labels[index] ?? '');
  return `${point}${isUnfinished(chart, index) ? ', not finished' : ''}: ${values.join(', ')}`;
}
