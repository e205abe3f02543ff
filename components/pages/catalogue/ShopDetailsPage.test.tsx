import { screen } from '@testing-library/react';
import { item, renderInShop } from '../../fixtures/renderInShop';
import { ShopDetailsPage } from './ShopDetailsPage';

test.each([
  [null, 'Available'],
  [0, 'Sold out'],
  [1, 'Only 1 left'],
  [10, 'Only 10 left'],
])('a stock of %s reads "%s"', (stock, text) => {
  renderInShop(<ShopDetailsPage {...item({ stock })} related={[]} />);
  expect(screen.getByText(text)).toBeVisible();
});

test('kind, delivery and item number are shown', () => {
  renderInShop(<ShopDetailsPage {...item()} related={[]} />);
  expect(screen.getByText('Book')).toBeVisible();
  expect(screen.getByText('Sent by post.')).toBeVisible();
  expect(screen.getByText('ML-BK-001')).toBeVisible();
});
