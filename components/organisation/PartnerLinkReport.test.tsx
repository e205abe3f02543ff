import { render, screen, within } from '@testing-library/react';
import { SiteProvider } from '../api/site';
import type { ReportProps } from '../contracts/schema';
import { SITE } from '../fixtures/catalogue';
import { PartnerLinkReport } from './PartnerLinkReport';

type Report = ReportProps['partnerLink'];

beforeAll(() => {
  // jsdom lays nothing out.
  globalThis.ResizeObserver = class {
    observe() {}
    unobserve() {}
    disconnect() {}
  };
});

const TABLE: Report['table'] = {
  id: 'partner-months',
  title: 'By month',
  place: 'main',
  empty: '',
  columns: [
    { key: 'month', label: 'Month', kind: 'text' },
    { key: 'orders', label: 'Orders', kind: 'text' },
  ],
  rows: [],
};
const EMPTY: Report = {
  link: 'https://shop.example/d?k=harbour-trust',
  month: '',
  note: '',
  figures: [],
  chart: null,
  table: TABLE,
  csvHref: null,
};
const COUNTED: Report = {
  ...EMPTY,
  month: 'Oct 2026',
  note: 'Fewer than 5 sessions are not shown.',
  figures: [
    {
      key: 'orders-USD',
      label: 'Orders',
      value: 'Not shown',
      change: 'Too few, or too alike, to show',
      range: '',
      meaning: 'Orders of the month that cost something.',
      example: 'Somebody follows your link and buys: 1 order.',
    },
  ],
  chart: {
    kind: 'bar',
    title: 'Sessions by your link, by month',
    summary: 'Most sessions came in Oct 2026: 17.',
    unit: 'count',
    unitLabel: 'Sessions',
    period: 'months that are over',
    points: { kind: 'month', labels: ['2026-09', '2026-10'] },
    series: [{ label: 'Sessions', values: [null, 17] }],
    empty: '',
    csvHref: null,
  },
  table: {
    ...TABLE,
    rows: [
      [
        { kind: 'text', text: 'Oct 2026' },
        { kind: 'text', text: 'Not shown' },
      ],
    ],
  },
  csvHref: '/csv/organization/reports?of=partner-link',
};

function show(report: Report) {
  render(
    <SiteProvider site={SITE}>
      <PartnerLinkReport report={report} />
    </SiteProvider>,
  );
}

test('before the first month it says how to share the link', () => {
  show(EMPTY);
  expect(screen.getByText(EMPTY.link)).toBeVisible();
  expect(screen.getByText(/Put this address on your website/)).toBeVisible();
  expect(screen.queryByRole('link')).toBeNull();
});

test('a figure that is not shown says why, and what it means', () => {
  show(COUNTED);
  const figures = within(screen.getByRole('list', { name: 'Figures' }));
  expect(figures.getByText('Not shown')).toBeVisible();
  expect(figures.getByText('Too few, or too alike, to show')).toBeVisible();
  expect(figures.getByText('Orders of the month that cost something.')).toBeInTheDocument();
});

test('the months are a picture, a table and a file', () => {
  show(COUNTED);
  expect(screen.getByText('Most sessions came in Oct 2026: 17.')).toBeVisible();
  expect(screen.getByRole('table', { name: 'By month' })).toBeVisible();
  expect(screen.getByRole('link', { name: 'Download these months as CSV' })).toHaveAttribute(
    'href',
    '/csv/organization/reports?of=partner-link',
  );
});
