/** @jest-environment node */
import type { ChartProps } from '../../contracts/schema';
import { SITE } from '../../fixtures/catalogue';
import { chart, marchDays } from '../../fixtures/charts';
import { chartFormatOf, pointLabels } from './chartLabels';
import { barsOf, endLabels, isAlone, layoutOf, pathOf, pointAt, spotsOf } from './chartLayout';

const format = chartFormatOf('count', 'day', SITE);

function layout(props: ChartProps, width = 800) {
  return layoutOf(props, format, width);
}

function days(...values: (number | null)[]): ChartProps {
  return chart({
    points: { kind: 'day', labels: marchDays(values.length) },
    series: [{ label: 'Visits', values }],
  });
}

test('a line is interrupted where there is no value', () => {
  const props = days(0, 10, null, 10);
  const place = layout(props, 431);
  expect([place.band, place.plot.bottom, place.plot.top]).toEqual([(421 - 24) / 4, 250, 14]);
  expect(pathOf(props.series[0]?.values ?? [], place)).toBe('M73.6 250L172.9 14M371.4 14');
  expect(spotsOf([null, 10], place)).toEqual([{ index: 1, x: 172.9, y: 14 }]);
});

test('a value is alone when it has no neighbours', () => {
  const values = [1, 2, null, 3, null, null, 4];
  expect(values.map((_, index) => isAlone(values, index))).toEqual([
    false,
    false,
    false,
    true,
    false,
    false,
    true,
  ]);
});

test('the pointer finds the point whose place it is in, also beyond the edges', () => {
  const place = layout(days(1, 2, 3));
  const { left, right } = place.plot;
  expect([0, left + 1, left + place.band + 1, right + 50].map((x) => pointAt(place, x, 3))).toEqual([
    0, 0, 1, 2,
  ]);
});

test('stacked bars stand on each other, upwards and downwards from zero', () => {
  const labels = ['2026-03-01'];
  const series = [4, -2, 6, -3].map((value, place) => ({ label: String(place), values: [value] }));
  const props = chart({ kind: 'stacked', points: { kind: 'day', labels }, series });
  const place = layout(props);
  const ends = barsOf(props, place).map(({ y, height }) => [y, y + height]);
  const pixels = (from: number, to: number) => [place.y(from), place.y(to)];
  expect(place.scale.ticks).toEqual([-5, 0, 5, 10]);
  expect(ends).toEqual([pixels(4, 0), pixels(0, -2), pixels(10, 4), pixels(-2, -5)]);
});

test('bars of several series stand beside each other, and none where there is no value', () => {
  const props = chart({
    kind: 'bar',
    points: { kind: 'day', labels: marchDays(2) },
    series: [
      { label: 'a', values: [1, null] },
      { label: 'b', values: [2, 3] },
    ],
  });
  const bars = barsOf(props, layout(props));
  expect(bars.map(({ index, series }) => [index, series])).toEqual([
    [0, 0],
    [0, 1],
    [1, 1],
  ]);
  expect((bars[0]?.x ?? 0) + (bars[0]?.width ?? 0)).toBeLessThan(bars[1]?.x ?? 0);
});

test('names at the ends of lines keep a distance and stay above the bottom', () => {
  const series = ['a', 'b', 'c'].map((label) => ({ label, values: [5, 0] }));
  const props = chart({ points: { kind: 'day', labels: marchDays(2) }, series });
  const place = layout(props);
  expect(endLabels(props, place).map(({ y }) => place.plot.bottom - y)).toEqual([34, 17, 0]);
  expect(endLabels(props, layout(props, 400))).toEqual([]);
});

test('names on several lines take their room from the plot', () => {
  const named = (label: string) =>
    chart({
      kind: 'bar',
      points: { kind: 'category', labels: [label, 'b'] },
      series: [{ label: 'a', values: [1, 2] }],
    });
  const [short, long] = ['a', 'a name of thirty-five letters in all'].map((label) =>
    layout(named(label), 400),
  );
  expect((short?.plot.bottom ?? 0) - (long?.plot.bottom ?? 0)).toBe(15);
});

test.each([
  ['day', marchDays(15), 40, ['Mar 1', 'Mar 3', 'Mar 5', 'Mar 7', 'Mar 9', 'Mar 11', 'Mar 13', 'Mar 15']],
  ['day', marchDays(15), 10, ['Mar 1', 'Mar 8', 'Mar 15']],
  ['month', ['2025-11', '2025-12', '2026-01'], 60, ['Nov 2025', 'Dec', 'Jan 2026']],
  ['category', ['Product', 'VAT'], 60, ['Product', 'VAT']],
  ['category', ['Payroll Basics', 'VAT'], 60, ['Payroll Basics (line 1)', 'VAT (line 2)']],
  [
    'category',
    ['Foreign exchange for treasurers', 'VAT', 'Excel'],
    40,
    ['Foreign exchang… (line 1)', 'VAT (line 2)', 'Excel (line 3)'],
  ],
] as const)('%s labels of %j do not touch at %d pixels', (kind, labels, band, expected) => {
  const { shortPoint } = chartFormatOf('count', kind, SITE);
  const shown = pointLabels({ kind, labels: [...labels] }, shortPoint, band);
  const texts = shown.map(({ text, year, row }) =>
    [text, ...(year ? [year] : []), ...(row === undefined ? [] : [`(line ${row + 1})`])].join(' '),
  );
  expect(texts).toEqual(expected);
});
