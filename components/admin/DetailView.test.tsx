import { screen, within } from '@testing-library/react';
import type { DetailProps } from '../contracts/schema';
import { renderInShop } from '../fixtures/renderInShop';
import { DetailView } from './DetailView';

const DETAIL: DetailProps = {
  title: 'Order',
  heading: 'Order BADEC',
  backHref: '/admin/orders',
  backText: 'All orders',
  facts: [
    { label: 'State', cell: { kind: 'badge', text: 'Paid', tone: 'good' } },
    { label: 'Placed', cell: { kind: 'time', at: '2026-03-04T09:30:00+00:00' } },
    { label: 'VAT id', cell: null },
  ],
  tables: [
    {
      id: 'lines',
      title: 'Lines',
      columns: [
        { key: 'name', label: 'Product', kind: 'text' },
        { key: 'total', label: 'Total', kind: 'money' },
      ],
      rows: [
        [
          { kind: 'text', text: 'VAT basics' },
          { kind: 'money', minor: 4000 },
        ],
      ],
      empty: 'No lines.',
    },
    { id: 'refunds', title: 'Refunds', columns: [], rows: [], empty: 'Nothing was refunded.' },
  ],
};

test('facts have their values, and one without a value is left out', () => {
  renderInShop(<DetailView {...DETAIL} />);
  expect(screen.getByRole('heading', { level: 1, name: 'Order BADEC' })).toBeVisible();
  expect(screen.getAllByRole('term').map((term) => term.textContent)).toEqual(['State', 'Placed (UTC)']);
  expect(screen.getByRole('link', { name: 'All orders' }).getAttribute('href')).toBe('/admin/orders');
});

test('without any fact there is no list of them', () => {
  renderInShop(<DetailView {...DETAIL} facts={[]} />);
  expect(screen.queryByRole('term')).toBeNull();
  expect(document.querySelector('dl')).toBeNull();
});

test('a short table names its rows and columns, and an empty one says why', () => {
  renderInShop(<DetailView {...DETAIL} />);
  const table = screen.getByRole('table', { name: 'Lines' });
  expect(within(table).getByRole('rowheader', { name: 'VAT basics' })).toBeVisible();
  expect(within(table).getByRole('cell').textContent).toBe('$40.00');
  expect(screen.getByText('Nothing was refunded.')).toBeVisible();
});
