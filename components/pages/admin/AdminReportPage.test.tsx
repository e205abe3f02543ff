import { render, screen, within } from '@testing-library/react';
import { SiteProvider } from '../../api/site';
import type { VisitReportProps } from '../../contracts/schema';
import { SITE } from '../../fixtures/catalogue';
import { AdminReportPage } from './AdminReportPage';

beforeAll(() => {
  // jsdom lays nothing out.
  globalThis.ResizeObserver = class {
    observe() {}
    unobserve() {}
    disconnect() {}
  };
});

const LINK = { text: 'Sources', href: '/admin/reports/sources', isCurrent: true };
const PROPS: VisitReportProps = {
  title: 'Report',
  heading: 'Sources',
  about: 'Where sessions came from, by their first visit.',
  reports: [
    { title: 'Visits', links: [{ text: 'Overview', href: '/admin/visits', isCurrent: false }, LINK] },
  ],
  presets: [{ text: '7 days', href: '/admin/reports/sources?from=2026-03-01', isCurrent: true }],
  form: {
    path: '/admin/reports/sources',
    since: '2026-03-01',
    until: '2026-03-07',
    today: '2026-03-07',
    fields: [
      {
        name: 'compare',
        label: 'Compare with',
        value: 'year',
        options: [
          { value: 'previous', label: 'Period before' },
          { value: 'year', label: 'Year earlier' },
        ],
      },
    ],
    hidden: [{ name: 'f', value: 'source:Google' }],
    saveHref: '/admin/visits/saved/new?report=sources',
  },
  ignored: [],
  chosen: {
    filters: [{ text: 'Source: Google', href: '/admin/reports/sources?by=referrer' }],
    href: '/admin/reports/sources?by=source',
  },
  figures: [
    {
      key: 'sessions',
      label: 'Sessions',
      value: '1,204',
      change: '+12.5% (before: 1,070)',
      range: '1,020 to 1,250 are people',
      meaning: 'Visits of one browser tab.',
      example: 'A tab opens two pages: 1 session.',
    },
  ],
  chart: {
    kind: 'line',
    title: 'Sessions by day',
    summary: '1,204 sessions.',
    unit: 'count',
    unitLabel: 'People',
    period: 'March 1, 2026 to March 7, 2026, UTC',
    points: { kind: 'day', labels: ['2026-03-06', '2026-03-07'] },
    series: [
      { label: 'Sessions', values: [600, 604] },
      { label: 'A year earlier', values: [500, 570], isPrevious: true },
    ],
    unfinishedFrom: 1,
    empty: '',
    csvHref: null,
  },
  levels: [],
  table: {
    id: 'rows',
    title: 'By day',
    place: 'main',
    columns: [
      { key: 'name', label: 'Day', kind: 'link' },
      { key: 'sessions', label: 'Sessions', kind: 'count' },
    ],
    rows: [
      [
        { kind: 'link', text: 'March 7, 2026', href: '/admin/reports/sources?from=2026-03-07' },
        { kind: 'count', value: 604 },
      ],
    ],
    empty: 'No rows.',
  },
  columns: [{ label: 'Cart', meaning: 'Sessions that opened the cart.', example: 'One did: 1.' }],
  pages: { previous: null, next: '/admin/reports/sources?page=2', entries: [] },
  csvHref: '/csv/admin/reports/sources?f=source%3AGoogle',
  parquetHref: '/csv/admin/reports/sources?f=source%3AGoogle&as=parquet',
  empty: '',
  notes: ['Left out: 3 visits of suspected programs and 9 of crawlers.'],
  builtAt: '2026-03-07T10:00:00Z',
};

const show = (about: Partial<VisitReportProps> = {}) =>
  render(
    <SiteProvider site={SITE}>
      <AdminReportPage {...PROPS} {...about} />
    </SiteProvider>,
  );

it('shows a figure with its change, its range, what it means and an example', () => {
  show();
  const figure = within(screen.getByRole('list', { name: 'Figures' })).getByRole('listitem');
  for (const text of ['1,204', '+12.5% (before: 1,070)', '1,020 to 1,250 are people'])
    expect(within(figure).getByText(text)).toBeInTheDocument();
  expect(within(figure).getByText('What “Sessions” means')).toBeInTheDocument();
  expect(within(figure).getByText('Visits of one browser tab.')).toBeInTheDocument();
  expect(within(figure).getByText('For example: A tab opens two pages: 1 session.')).toBeInTheDocument();
});

it('says what the columns mean that are no figures above the table', () => {
  const { unmount } = show();
  expect(screen.getByText('What the columns mean').closest('details')).not.toHaveAttribute('open');
  expect(screen.getByText('Sessions that opened the cart. For example: One did: 1.')).toBeInTheDocument();
  unmount();
  show({ columns: [] });
  expect(screen.queryByText('What the columns mean')).toBeNull();
});

it('keeps everything in the address: the form sends the period, the comparison and the chosen value', () => {
  show();
  const form = screen.getByRole<HTMLFormElement>('form', { name: 'Choose a period' });
  expect([...new FormData(form)]).toEqual([
    ['f', 'source:Google'],
    ['from', '2026-03-01'],
    ['to', '2026-03-07'],
    ['compare', 'year'],
  ]);
  expect([form.method, form.getAttribute('action')]).toEqual(['get', '/admin/reports/sources']);
  expect(screen.getByLabelText('Last day')).toHaveAttribute('max', '2026-03-07');
});

it('says on narrow screens what is chosen, in the line that opens the choices', () => {
  show();
  const line = screen.getByRole('button', { name: /Mar 1, 2026 – Mar 7, 2026/ });
  expect(line).toHaveTextContent('7 days · Compare with: Year earlier');
  expect(line).toHaveAttribute('popovertarget', 'report-choices');
  expect(screen.getByRole('button', { name: 'Reports' })).toHaveAttribute('popovertarget', 'report-list');
});

it('leads from a row to its report, from the chosen value back, and to the file', () => {
  show();
  const hrefs = [
    'March 7, 2026',
    'Remove filter Source: Google',
    'Show all',
    'Download as CSV',
    'Download as Parquet',
    'Next',
  ].map((name) => screen.getByRole('link', { name }).getAttribute('href'));
  expect(hrefs).toEqual([
    '/admin/reports/sources?from=2026-03-07',
    '/admin/reports/sources?by=referrer',
    '/admin/reports/sources?by=source',
    '/csv/admin/reports/sources?f=source%3AGoogle',
    '/csv/admin/reports/sources?f=source%3AGoogle&as=parquet',
    '/admin/reports/sources?page=2',
  ]);
  const reports = within(screen.getByRole('navigation', { name: 'Reports' }));
  expect(reports.getByRole('link', { name: 'Sources' })).toHaveAttribute('aria-current', 'page');
});

it('says why there is nothing, without figures, chart and file', () => {
  show({ empty: 'Visits are counted since March 4, 2026: choose later days.', figures: [], csvHref: null });
  expect(screen.getByText('Visits are counted since March 4, 2026: choose later days.')).toBeInTheDocument();
  expect(screen.queryByRole('figure')).toBeNull();
  expect(screen.queryByRole('link', { name: 'Download as CSV' })).toBeNull();
  expect(screen.getByRole('form', { name: 'Choose a period' })).toBeInTheDocument();
});

it('names values of the address that it does not know', () => {
  show({ ignored: ['from', 'sort'] });
  expect(screen.getByRole('status')).toHaveTextContent('it shows the usual ones: from, sort.');
});
