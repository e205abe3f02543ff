import { useId, useRef, useState } from 'react';
import chartStyles from '../../../static/css/chart.css?text';
import type { ChartProps, SiteProps } from '../../contracts/schema';
import { useStyles } from '../useStyles';
import { ChartPlot } from './ChartPlot';
import { ChartReadout, readoutText } from './ChartReadout';
import { ChartTable } from './ChartTable';
import { type ChartFormat, chartFormatOf } from './chartLabels';
import { layoutOf } from './chartLayout';
import { useWidth } from './useWidth';

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
