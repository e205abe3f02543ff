import type { ChartProps } from '../../contracts/schema';
import { CHARACTER_WIDTH, type ChartFormat, cut, LABEL_LINE, labelRows } from './chartLabels';
import { niceScale, type Scale } from './chartScale';

export type Bar = { index: number; series: number; x: number; y: number; width: number; height: number };
export type Spot = { index: number; x: number; y: number };
export type EndLabel = { series: number; text: string; y: number };

/** Where everything of a chart is, in pixels of its picture. */
export type Layout = {
  width: number;
  height: number;
  plot: { left: number; right: number; top: number; bottom: number };
  /** Width of one point's place. */
  band: number;
  scale: Scale;
  x: (index: number) => number;
  y: (value: number) => number;
};

const HEIGHT = 280;
const TOP = 14;
const BOTTOM = 30;
const EDGE = 10;
/** Narrower charts name their lines in the legend alone. */
const END_LABELS_FROM = 520;
const MAX_END_LABEL = 120;
const END_LABEL_HEIGHT = 17;
const BAR_SHARE = 0.72;
const MAX_BAR = 56;

export function layoutOf(chart: ChartProps, format: ChartFormat, width: number): Layout {
  const scale = niceScale(extremes(chart), format.zeroHeight);
  const left = Math.max(...scale.ticks.map((tick) => format.tick(tick).length)) * CHARACTER_WIDTH + EDGE;
  const right = width - (hasEndLabels(chart, width) ? endLabelWidth(chart) + 2 * EDGE : EDGE);
  const band = (right - left) / Math.max(chart.points.labels.length, 1);
  const bottom = HEIGHT - BOTTOM - (labelRows(chart.points, band) - 1) * LABEL_LINE;
  const plot = { left, right, top: TOP, bottom };
  const perUnit = (plot.bottom - plot.top) / (scale.high - scale.low);
  return {
    width,
    height: HEIGHT,
    plot,
    band,
    scale,
    x: (index) => round(plot.left + (index + 0.5) * band),
    y: (value) => round(plot.bottom - (value - scale.low) * perUnit),
  };
}

/** The point at a horizontal place in the picture. */
export function pointAt({ plot, band }: Layout, x: number, points: number): number {
  return Math.min(Math.max(Math.floor((x - plot.left) / band), 0), points - 1);
}

/** The values that the scale must hold: of stacked bars their sums, upwards and downwards. */
function extremes({ kind, series, points }: ChartProps): number[] {
  const present = (values: (number | null)[]) => values.filter((value) => value !== null);
  if (kind !== 'stacked') return series.flatMap(({ values }) => present(values));
  return points.labels.flatMap((_, index) => {
    const values = present(series.map((entry) => entry.values[index] ?? null));
    return [sum(values.filter((value) => value > 0)), sum(values.filter((value) => value < 0))];
  });
}

export function barsOf({ kind, series, points }: ChartProps, layout: Layout): Bar[] {
  return points.labels.flatMap((_, index) =>
    kind === 'stacked' ? stackAt(series, index, layout) : groupAt(series, index, layout),
  );
}

function groupAt(series: ChartProps['series'], index: number, layout: Layout): Bar[] {
  const width = Math.min((layout.band * BAR_SHARE) / series.length, MAX_BAR);
  const start = layout.x(index) - (width * series.length) / 2;
  return series.flatMap(({ values }, place) => {
    const value = values[index] ?? null;
    if (value === null) return [];
    return [{ index, series: place, ...box(start + place * width, width * 0.94, 0, value, layout) }];
  });
}

function stackAt(series: ChartProps['series'], index: number, layout: Layout): Bar[] {
  const width = Math.min(layout.band * BAR_SHARE, MAX_BAR);
  let above = 0;
  let below = 0;
  return series.flatMap(({ values }, place) => {
    const value = values[index] ?? null;
    if (value === null || value === 0) return [];
    const from = value > 0 ? above : below;
    if (value > 0) above += value;
    else below += value;
    return [{ index, series: place, ...box(layout.x(index) - width / 2, width, from, from + value, layout) }];
  });
}

function box(x: number, width: number, from: number, to: number, { y }: Layout) {
  const top = Math.min(y(from), y(to));
  return { x: round(x), y: top, width: round(width), height: round(Math.abs(y(from) - y(to))) };
}

/** The path of a line, interrupted where there is no value. */
export function pathOf(values: readonly (number | null)[], { x, y }: Layout): string {
  return values
    .map((value, index) => {
      if (value === null) return '';
      return `${(values[index - 1] ?? null) === null ? 'M' : 'L'}${x(index)} ${y(value)}`;
    })
    .join('');
}

export function spotsOf(values: readonly (number | null)[], { x, y }: Layout): Spot[] {
  return values.flatMap((value, index) => (value === null ? [] : [{ index, x: x(index), y: y(value) }]));
}

/** A value without neighbours is no line: only its marker shows it. */
export function isAlone(values: readonly (number | null)[], index: number): boolean {
  return (values[index - 1] ?? null) === null && (values[index + 1] ?? null) === null;
}

function hasEndLabels({ kind, series }: ChartProps, width: number): boolean {
  return kind === 'line' && series.length > 1 && width >= END_LABELS_FROM;
}

function endLabelWidth({ series }: ChartProps): number {
  return Math.min(Math.max(...series.map(({ label }) => label.length)) * CHARACTER_WIDTH, MAX_END_LABEL);
}

/** Names of the lines at their ends, moved apart where they would overlap. */
export function endLabels(chart: ChartProps, layout: Layout): EndLabel[] {
  if (!hasEndLabels(chart, layout.width)) return [];
  const labels = chart.series
    .flatMap(({ label, values }, series) => {
      const last = values.findLastIndex((value) => value !== null);
      const value = values[last] ?? null;
      return value === null ? [] : [{ series, text: cut(label, MAX_END_LABEL), y: layout.y(value) }];
    })
    .sort((one, other) => one.y - other.y);
  labels.forEach((label, place) => {
    const above = labels[place - 1];
    if (above) label.y = Math.max(label.y, above.y + END_LABEL_HEIGHT);
  });
  // What was moved beyond the bottom moves everything above it up again.
  [...labels].reverse().reduce((limit, label) => {
    label.y = Math.min(label.y, limit);
    return label.y - END_LABEL_HEIGHT;
  }, layout.plot.bottom);
  return labels;
}

function sum(values: number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function round(pixels: number): number {
  return Math.round(pixels * 10) / 10;
}
