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
      place: 'main',
    },
    { id: 'refunds', title: 'Refunds', columns: [], rows: [], empty: 'Nothing was refunded.', place: 'main' },
  ],
};

test('facts have their values, and one without a value is left out', () => {
  renderInShop(<DetailView {...DETAIL} />);
  expect(screen.getByRole('heading', { level: 1, name: 'Order BADEC' })).toBeVisible();
  expect(screen.getAllByRole('term').map((term) => term.textContent)).toEqual(['State', 'Placed (UTC)']);
  expect(screen.getByRole('link', { name: 'All orders' }).getAttribute('href')).toBe('/admin/orders');
});

test('further facts have a title of their own, and a group without any value is left out', () => {
  const groups: DetailProps['groups'] = [
    {
      id: 'documents',
      title: 'Documents',
      facts: [1, 2].map((number) => ({ label: 'Invoice', cell: { kind: 'text', text: `2026-${number}` } })),
      place: 'side',
    },
    { id: 'addresses', title: 'Addresses', facts: [{ label: 'Delivered to', cell: null }], place: 'side' },
  ];
  renderInShop(<DetailView {...DETAIL} facts={[]} groups={groups} />);
  const documents = within(screen.getByRole('region', { name: 'Documents' }));
  expect(documents.getAllByRole('definition').map((value) => value.textContent)).toEqual([
    '2026-1',
    '2026-2',
  ]);
  expect(screen.queryByText('Addresses')).toBeNull();
});

test('the facts are beside the tables, those of one place in one column', () => {
  const [lines, refunds] = DETAIL.tables;
  if (!lines || !refunds) throw new Error('two tables are needed');
  const tables: DetailProps['tables'] = [
    lines,
    { ...refunds, place: 'side' },
    { ...lines, id: 'prices', title: 'Prices', place: 'folded' },
  ];
  const { container } = renderInShop(<DetailView {...DETAIL} tables={tables} />);
  const columns = [...container.querySelectorAll('.area-detail--split > *')];
  const headings = columns.map((column) =>
    [...column.querySelectorAll('h2, summary')].map((entry) => entry.textContent),
  );
  expect(headings).toEqual([[], ['Lines', 'Prices', 'Prices'], ['Refunds']]);
  expect(screen.getByRole<HTMLDetailsElement>('group').open).toBe(false);
});

test('without anything beside them the facts have the whole width', () => {
  const { container } = renderInShop(<DetailView {...DETAIL} tables={[]} />);
  expect(container.querySelector('.area-detail')).not.toHaveClass('area-detail--split');
});

test('a column in which no row has a value is left out, but for the first', () => {
  const [lines] = DETAIL.tables;
  if (!lines) throw new Error('a table is needed');
  renderInShop(<DetailView {...DETAIL} tables={[{ ...lines, rows: [[null, null]] }]} />);
  expect(screen.getAllByRole('columnheader').map(({ textContent }) => textContent)).toEqual(['Product']);
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
