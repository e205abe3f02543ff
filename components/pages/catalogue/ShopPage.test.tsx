import { screen, within } from '@testing-library/react';
import { renderInShop, shop } from '../../fixtures/renderInShop';
import { ShopPage } from './ShopPage';

test('the page shows the number of results and the current page', () => {
  renderInShop(<ShopPage {...shop()} />);
  expect(screen.getByRole('heading', { level: 1, name: 'Catalogue' })).toBeVisible();
  expect(screen.getByText(/results, page 2 of 4/)).toHaveTextContent('83 results, page 2 of 4');
  expect(screen.getAllByRole('heading', { name: /^Course \d+$/ })).toHaveLength(24);
});

test('a filter in force can be dropped, or all at once', () => {
  const active = [{ label: 'Beginner', href: '/shop?language=de' }];
  renderInShop(<ShopPage {...shop({ active, clearHref: '/shop?sort=newest' })} />);
  const chips = within(screen.getByRole('region', { name: 'Filters in force' }));
  expect(chips.getByRole('link', { name: 'Remove filter Beginner' }).getAttribute('href')).toBe(
    '/shop?language=de',
  );
  expect(chips.getByRole('link', { name: 'Clear all' }).getAttribute('href')).toBe('/shop?sort=newest');
});

test('no results: help and a link that clears the filters', () => {
  const pagination = { previous: null, next: null, entries: [] };
  renderInShop(<ShopPage {...shop({ total: 0, page: 1, pages: 1, cards: [], pagination })} />);
  expect(screen.getByRole('heading', { name: 'Nothing matches all of these filters' })).toBeVisible();
  expect(screen.getByRole('link', { name: 'Clear all filters' }).getAttribute('href')).toBe('/shop');
  expect(screen.getByRole('link', { name: 'Data & Analytics' })).toBeVisible();
});

test('sorting is a list of links', () => {
  renderInShop(<ShopPage {...shop()} />);
  expect(screen.getByText('Newest').getAttribute('href')).toBe('/shop?sort=newest');
});
