import type { ChartSeries } from '../../contracts/schema';
import { Marker, seriesClass } from './ChartMarks';
import { isAlone, type Layout, pathOf, spotsOf } from './chartLayout';

type ChartLineProps = { series: ChartSeries; place: number; layout: Layout; cursor: number | null };

/** Points that are closer have a marker only where the cursor is. */
const MARKER_BAND = 22;

export function ChartLine({ series, place, layout, cursor }: ChartLineProps) {
  const { values } = series;
  const spots = spotsOf(values, layout).filter(
    ({ index }) => layout.band >= MARKER_BAND || index === cursor || isAlone(values, index),
  );
  return (
    <g className={seriesClass(series, place)}>
      <path className="chart__line" d={pathOf(values, layout)} />
      {spots.map(({ index, x, y }) => (
        <Marker key={index} place={place} x={x} y={y} />
      ))}
    </g>
  );
}
