import type { PointerEvent } from 'react';
import type { ChartProps, ChartSeries } from '../../contracts/schema';
import { barClassOf, fillOf, Marker, Patterns, seriesClass } from './ChartMarks';
import { CHARACTER_WIDTH, type ChartFormat, LABEL_LINE, pointLabels } from './chartLabels';
import { barsOf, endLabels, isAlone, type Layout, pathOf, pointAt, spotsOf } from './chartLayout';

type ChartPlotProps = {
  id: string;
  chart: ChartProps;
  format: ChartFormat;
  layout: Layout;
  cursor: number | null;
  onCursor: (index: number | null) => void;
};

/** The picture of a chart. Screen readers get its values from the slider and from the table. */
export function ChartPlot({ id, chart, format, layout, cursor, onCursor }: ChartPlotProps) {
  const { width, height, plot } = layout;
  const follow = (event: PointerEvent<SVGSVGElement>) => {
    const box = event.currentTarget.getBoundingClientRect();
    onCursor(pointAt(layout, ((event.clientX - box.left) * width) / box.width, chart.points.labels.length));
  };
  return (
    <svg
      className="chart__picture"
      viewBox={`0 0 ${width} ${height}`}
      aria-hidden="true"
      onPointerMove={follow}
      onPointerDown={follow}
      onPointerLeave={(event) => event.pointerType === 'mouse' && onCursor(null)}
    >
      <Patterns id={id} series={chart.series} />
      <Grid layout={layout} format={format} />
      {chart.unfinishedFrom !== undefined && (
        <rect
          x={plot.left + chart.unfinishedFrom * layout.band}
          y={plot.top}
          width={(chart.points.labels.length - chart.unfinishedFrom) * layout.band}
          height={plot.bottom - plot.top}
          fill={`url(#${id}-unfinished)`}
        />
      )}
      {cursor !== null && <Cursor chart={chart} layout={layout} index={cursor} />}
      {chart.kind === 'line' ? (
        chart.series.map((series, place) => (
          <ChartLine key={series.label} series={series} place={place} layout={layout} cursor={cursor} />
        ))
      ) : (
        <Bars id={id} chart={chart} layout={layout} />
      )}
      <line className="chart__zero" x1={plot.left} x2={plot.right} y1={layout.y(0)} y2={layout.y(0)} />
      <PointLabels chart={chart} format={format} layout={layout} />
      <EndLabels chart={chart} layout={layout} />
    </svg>
  );
}

type PartProps = Pick<ChartPlotProps, 'chart' | 'format' | 'layout'>;

function PointLabels({ chart, format, layout: { plot, band, width, x } }: PartProps) {
  return pointLabels(chart.points, format.shortPoint, band).map(({ index, text, year, row = 0 }) => {
    const edge = (text.length * CHARACTER_WIDTH) / 2;
    const place = Math.max(Math.min(x(index), width - edge), edge);
    return (
      <text key={index} className="chart__label" x={place} y={plot.bottom + 21 + row * LABEL_LINE}>
        {text}
        {year && (
          <tspan x={place} dy={LABEL_LINE}>
            {year}
          </tspan>
        )}
      </text>
    );
  });
}

/** Names at the ends of the lines, where there is room for them. */
function EndLabels({ chart, layout }: Pick<PartProps, 'chart' | 'layout'>) {
  return endLabels(chart, layout).map(({ series, text, y }) => {
    const entry = chart.series[series];
    return (
      entry && (
        <g key={entry.label} className={seriesClass(entry, series)}>
          <text className="chart__end" x={layout.plot.right + 8} y={y + 4}>
            {text}
          </text>
        </g>
      )
    );
  });
}

function Grid({ layout: { plot, scale, y }, format }: Pick<ChartPlotProps, 'layout' | 'format'>) {
  return scale.ticks.map((tick) => (
    <g key={tick}>
      <line className="chart__grid" x1={plot.left} x2={plot.right} y1={y(tick)} y2={y(tick)} />
      <text className="chart__tick" x={plot.left - 8} y={y(tick) + 4}>
        {format.tick(tick)}
      </text>
    </g>
  ));
}

type CursorProps = { chart: ChartProps; layout: Layout; index: number };

/** A line at the point of a line chart, a ground behind the bars of a bar chart. */
function Cursor({ chart, layout: { plot, band, x }, index }: CursorProps) {
  if (chart.kind === 'line')
    return <line className="chart__cursor" x1={x(index)} x2={x(index)} y1={plot.top} y2={plot.bottom} />;
  return (
    <rect
      className="chart__place"
      x={plot.left + index * band}
      y={plot.top}
      width={band}
      height={plot.bottom - plot.top}
    />
  );
}

function Bars({ id, chart, layout }: Pick<ChartPlotProps, 'id' | 'chart' | 'layout'>) {
  const bars = barsOf(chart, layout);
  return chart.series.map((series, place) => (
    <g key={series.label} className={seriesClass(series, place)}>
      {bars
        .filter((bar) => bar.series === place)
        .map(({ index, x, y, width, height }) => (
          <rect
            key={index}
            className={barClassOf(place)}
            x={x}
            y={y}
            width={width}
            height={height}
            fill={fillOf(id, place)}
          />
        ))}
    </g>
  ));
}

type ChartLineProps = { series: ChartSeries; place: number; layout: Layout; cursor: number | null };

/** Points that are closer have a marker only where the cursor is. */
const MARKER_BAND = 22;

function ChartLine({ series, place, layout, cursor }: ChartLineProps) {
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
