import type { ChartPoints, ChartProps, SiteProps } from '../../contracts/schema';
import { compactFormatOf } from '../../format/compactFormat';
import { formatOf } from '../../format/format';

export type ChartFormat = {
  /** A value as in the table of numbers. */
  value: (value: number | null) => string;
  /** A value beside a tick. */
  tick: (value: number) => string;
  /** The height of the scale when all values are zero: one major unit of money, one, ten percent. */
  zeroHeight: number;
  /** A point as in the table of numbers. */
  point: (label: string) => string;
  /** A point below the plot. */
  shortPoint: (label: string) => string;
};

export const NO_VALUE = '–';
/** Width of a letter of the labels, at most; there is no measuring on the server. */
export const CHARACTER_WIDTH = 7;
const GAP = 14;
/** Every nth point has a label: days make weeks, months quarters and years. */
const STRIDES: Record<ChartPoints['kind'], number[]> = {
  day: [1, 2, 7, 14, 28, 56, 91, 182, 364],
  month: [1, 2, 3, 6, 12, 24, 60],
  // Half hours make hours and parts of a day.
  time: [1, 2, 4, 6, 8, 12, 24],
  category: [1],
};

export function chartFormatOf(
  unit: ChartProps['unit'],
  kind: ChartPoints['kind'],
  site: SiteProps,
): ChartFormat {
  const { money, count, date, ...format } = formatOf(site);
  const compact = compactFormatOf(site);
  const percent = (value: number) => format.percent(String(value));
  const whole = { money, count, percent }[unit];
  const pointForms = {
    day: { point: date, shortPoint: compact.dayOfYear },
    month: { point: compact.month, shortPoint: compact.monthOfYear },
    time: {
      point: (label: string) => `${compact.time(`${label}Z`)} UTC`,
      shortPoint: (label: string) => label.slice(11),
    },
    category: { point: (label: string) => label, shortPoint: (label: string) => label },
  };
  return {
    value: (value) => (value === null ? NO_VALUE : whole(value)),
    tick: { money: compact.money, count: compact.count, percent }[unit],
    zeroHeight: { money: 10 ** site.currency.exponent, count: 1, percent: 10 }[unit],
    ...pointForms[kind],
  };
}

/** Lines below the plot on which names take turns where they are too long for one. */
const MAX_ROWS = 3;

/** Height of a line of labels. */
export const LABEL_LINE = 15;

/** How many lines the labels below the plot take: names that do not fit beside each other take turns. */
export function labelRows({ kind, labels }: ChartPoints, band: number): number {
  if (kind === 'month') return 2;
  if (kind !== 'category') return 1;
  const widest = Math.max(0, ...labels.map((text) => text.length)) * CHARACTER_WIDTH + GAP / 2;
  return Math.min(Math.max(Math.ceil(widest / band), 1), MAX_ROWS, Math.max(labels.length, 1));
}

/** `year` is below the first month and below the first one of another year. `row`: on which line, from 0. */
export type PointLabel = { index: number; text: string; year?: string; row?: number };

/** Which points have a label below the plot, so that none touches the next, and the labels cut to their place. */
export function pointLabels(
  { kind, labels }: ChartPoints,
  shortPoint: (label: string) => string,
  band: number,
): PointLabel[] {
  const texts = labels.map(shortPoint);
  if (kind === 'category') {
    const rows = labelRows({ kind, labels }, band);
    return texts.map((text, index) => ({
      index,
      text: cut(text, rows * band - GAP / 2),
      ...(rows > 1 && { row: index % rows }),
    }));
  }
  const widest = Math.max(0, ...texts.map((text) => text.length)) * CHARACTER_WIDTH + GAP;
  const stride = STRIDES[kind].find((points) => points * band >= widest) ?? labels.length;
  // The last point is the one of interest: labels are counted from it.
  const shown = [...texts.keys()].filter((index) => (texts.length - 1 - index) % stride === 0);
  const yearAt = (index: number | undefined) => (index === undefined ? '' : labels[index]?.slice(0, 4));
  return shown.map((index, place) => {
    const [text, year] = [texts[index] ?? '', yearAt(index)];
    return kind === 'month' && year && year !== yearAt(shown[place - 1])
      ? { index, text, year }
      : { index, text };
  });
}

/** A text that fits into a width in pixels, by its number of letters. */
export function cut(text: string, width: number): string {
  const letters = Math.floor(width / CHARACTER_WIDTH);
  return text.length <= letters ? text : `${text.slice(0, Math.max(letters - 1, 1))}…`;
}
