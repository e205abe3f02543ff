import { render, screen, within } from '@testing-library/react';
import { FORMAT, review } from '../../fixtures/renderInShop';
import { ReviewList } from './ReviewList';

test('the distribution is shown as bars and as text', () => {
  render(
    <ReviewList reviews={{ items: [review()], counts: [0, 0, 1, 4, 5] }} rating={4.4} format={FORMAT} />,
  );
  const rows = within(screen.getByRole('region', { name: 'Ratings by number of stars' })).getAllByRole(
    'listitem',
  );
  expect(rows.map((row) => row.textContent)).toEqual([
    '5 stars5',
    '4 stars4',
    '3 stars1',
    '2 stars0',
    '1 star0',
  ]);
  expect(rows[0]?.querySelector('.bar--50')).not.toBeNull();
});

test('a review shows who, when and how many stars', () => {
  render(<ReviewList reviews={{ items: [review()], counts: [0, 0, 0, 1, 0] }} rating={4} format={FORMAT} />);
  expect(screen.getByText('Ada L.')).toBeVisible();
  expect(screen.getByText('March 4, 2026')).toBeVisible();
  expect(screen.getByRole('heading', { name: 'Clear' })).toBeVisible();
});

test('without reviews a message is shown', () => {
  render(<ReviewList reviews={{ items: [], counts: [0, 0, 0, 0, 0] }} rating={null} format={FORMAT} />);
  expect(screen.getByText('No one has reviewed this course yet.')).toBeVisible();
});
