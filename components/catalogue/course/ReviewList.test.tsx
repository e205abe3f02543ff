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

test('only a review of who had the course says so, and one that was changed says when', () => {
  const own = review({ id: 2, isVerified: true, editedAt: '2026-03-09T10:00:00Z' });
  const reviews = { items: [review(), own], counts: [0, 0, 0, 2, 0] };
  render(<ReviewList reviews={reviews} rating={4} format={FORMAT} />);
  const [imported, verified] = screen.getAllByText('Clear').map((title) => title.closest('li'));
  expect(imported).not.toHaveTextContent('Verified learner');
  expect(verified).toHaveTextContent('Ada L.March 4, 2026Verified learneredited March 9, 2026');
});

test('without reviews a message is shown', () => {
  render(<ReviewList reviews={{ items: [], counts: [0, 0, 0, 0, 0] }} rating={null} format={FORMAT} />);
  expect(screen.getByText('No one has reviewed this course yet.')).toBeVisible();
});
