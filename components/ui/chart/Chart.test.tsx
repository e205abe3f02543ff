import { fireEvent, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { renderToString } from 'react-dom/server';
import { SITE } from '../../fixtures/catalogue';
import { chart, marchDays } from '../../fixtures/charts';
import { Chart } from './Chart';

beforeAll(() => {
  // jsdom lays nothing out.
  globalThis.ResizeObserver = class {
    observe() {}
    unobserve() {}
    disconnect() {}
  };
});

const money = chart({
  unit: 'money',
  points: { kind: 'day', labels: marchDays(3) },
  series: [
    { label: 'Sales', values: [123_456, null, 5000] },
    { label: 'Refunds', values: [0, -1000, 0] },
  ],
  unfinishedFrom: 2,
});

test('the numbers are a table, with what is missing and what is not finished', async () => {
  render(<Chart chart={money} site={SITE} />);
  await userEvent.click(screen.getByText('The numbers as a table'));
  const rows = within(screen.getByRole('table')).getAllByRole('row');
  expect(rows.map((row) => [...row.children].map((cell) => cell.textContent))).toEqual([
    ['Day', 'Sales', 'Refunds'],
    ['March 1, 2026', '$1,234.56', '$0.00'],
    ['March 2, 2026', '–', '-$10.00'],
    ['March 3, 2026 (not finished)', '$50.00', '$0.00'],
  ]);
});

test('the slider says the values of its point, and the legend shows them', () => {
  render(<Chart chart={money} site={SITE} />);
  const slider = screen.getByRole('slider', { name: 'Point of Visits' });
  expect(slider).toHaveAttribute(
    'aria-valuetext',
    'March 3, 2026, not finished: Sales $50.00, Refunds $0.00',
  );
  fireEvent.change(slider, { target: { value: '0' } });
  expect(slider).toHaveAttribute('aria-valuetext', 'March 1, 2026: Sales $1,234.56, Refunds $0.00');
  const [entry] = screen.getAllByRole('listitem');
  expect(entry).toHaveTextContent('Sales$1,234.56');
});

test('without values it says why and has nothing to move along', () => {
  render(<Chart chart={chart({ series: [{ label: 'Visits', values: [null] }] })} site={SITE} />);
  expect(screen.getByText('No visit was counted in this period.')).toBeVisible();
  expect(screen.queryByRole('slider')).toBeNull();
  expect(screen.queryByRole('table', { hidden: true })).toBeNull();
});

test('the server renders it whole, without a style attribute', () => {
  const html = renderToString(<Chart chart={{ ...money, kind: 'stacked', csvHref: '/csv/x' }} site={SITE} />);
  expect(html).toContain('viewBox="0 0 720 280"');
  expect(html).not.toMatch(/\sstyle=/);
});
