import type { ChartProps } from '../../contracts/schema';
import { SITE } from '../../fixtures/catalogue';
import { chart, marchDays } from '../../fixtures/charts';
import { Chart } from '../../ui/chart/Chart';
import { Group, State } from '../guide/Guide';
import { JAPANESE, UNBROKEN } from '../guide/texts';

const MONTHS = [...Array(12).keys()].map((month) => `2025-${String(month + 1).padStart(2, '0')}`);
const wave = (size: number, shift: number) =>
  MONTHS.map((_, month) => Math.round(size * (1.4 + Math.sin((month + shift) / 2))));
const year = { period: '2025', points: { kind: 'month', labels: MONTHS } } as const;
const CHANNELS = ['Search engines', 'Newsletter', 'Partners', 'Direct'];
const channels = CHANNELS.map((label, place) => ({ label, values: wave(900 - 190 * place, 2 * place) }));
const days = { kind: 'day', labels: marchDays(7) } as const;

const STATES: [string, ChartProps][] = [
  [
    'A line with the period before it, the last day not finished',
    chart({ unfinishedFrom: 20, csvHref: '#charts' }),
  ],
  [
    'Four lines',
    chart({ ...year, title: 'Visits by channel', unitLabel: 'Visits a month', series: channels }),
  ],
  [
    'Bars of money, with refunds below zero',
    chart({
      ...year,
      kind: 'bar',
      title: 'Revenue',
      summary: 'November was the strongest month; refunds stayed below a tenth.',
      unit: 'money',
      unitLabel: 'Net, in US dollars',
      unfinishedFrom: 11,
      series: [
        { label: 'Sales', values: wave(1_240_000, 1) },
        { label: 'Refunds', values: wave(-92_000, 4) },
      ],
    }),
  ],
  [
    'Stacked bars',
    chart({
      ...year,
      kind: 'stacked',
      title: 'Visits by channel, together',
      unitLabel: 'Visits a month',
      series: channels,
    }),
  ],
  [
    'Categories, with names longer than their place',
    chart({
      kind: 'bar',
      title: 'Completion by course',
      summary: 'Half of the learners finish.',
      unit: 'percent',
      unitLabel: 'Completed, percent of learners',
      points: {
        kind: 'category',
        labels: ['Payroll Basics', JAPANESE, UNBROKEN.slice(0, 60), 'VAT', 'Python'],
      },
      series: [{ label: 'Completed', values: [62, 48, 35, 81, 7] }],
    }),
  ],
  [
    'A gap, and a day on its own',
    chart({ points: days, series: [{ label: 'Visits', values: [12, 31, null, 25, null, 18, 22] }] }),
  ],
  [
    'One point',
    chart({ points: { kind: 'day', labels: marchDays(1) }, series: [{ label: 'Visits', values: [7] }] }),
  ],
  [
    'Nothing but zeros',
    chart({ points: days, series: [{ label: 'Visits', values: [0, 0, 0, 0, 0, 0, 0] }] }),
  ],
  [
    'No values yet',
    chart({ points: { kind: 'day', labels: [] }, series: [{ label: 'Visits', values: [] }] }),
  ],
];

export function ChartStates() {
  return (
    <Group
      id="charts"
      title="Charts"
      text="Point at a chart, or move along it with the arrow keys. The numbers are below it as a table."
    >
      {STATES.map(([label, props]) => (
        <State key={label} label={label} ground="bare">
          <Chart chart={props} site={SITE} />
        </State>
      ))}
    </Group>
  );
}
