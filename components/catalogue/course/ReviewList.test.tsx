import { render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { refreshAuth } from '../../api/auth';
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

const showOne = () =>
  render(<ReviewList reviews={{ items: [review()], counts: [0, 0, 0, 1, 0] }} rating={4} format={FORMAT} />);
const openReport = () => userEvent.click(screen.getByRole('link', { name: 'Report the review by Ada L.' }));

test('a guest who reports a review is asked to sign in, and can write to us', async () => {
  showOne();
  await openReport();
  const dialog = within(await screen.findByRole('dialog', { name: 'Report the review by Ada L.' }));
  expect(dialog.getByRole('link', { name: 'Sign in' })).toHaveAttribute('href', '/login');
  expect(dialog.getByRole('link', { name: 'write to us' })).toHaveAttribute('href', '/contact');
  await userEvent.click(dialog.getByRole('button', { name: 'Cancel' }));
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('a learner says what is wrong with a review', async () => {
  const user = { accessToken: 't', user: { AAUserID: 7, Email: 'ada@example.test' } };
  // biome-ignore lint/suspicious/noDocumentCookie: as the host sets it
  document.cookie = `userInfo=${encodeURIComponent(JSON.stringify(user))}; path=/`;
  refreshAuth(true);
  const calls: unknown[] = [];
  globalThis.fetch = (async (address: string, { body }: RequestInit) => {
    calls.push([address, JSON.parse(String(body))]);
    return new Response(JSON.stringify({ status: 'success', message: '' }));
  }) as typeof fetch;
  showOne();
  await openReport();
  await userEvent.type(await screen.findByLabelText('What is wrong with it?'), 'An advertisement');
  await userEvent.click(screen.getByRole('button', { name: 'Report it' }));
  expect(await screen.findByText(/^Thank you\./)).toBeVisible();
  expect(calls).toEqual([['/api/reviews/1/report', { reason: 'An advertisement' }]]);
});

test('without reviews a message is shown', () => {
  render(<ReviewList reviews={{ items: [], counts: [0, 0, 0, 0, 0] }} rating={null} format={FORMAT} />);
  expect(screen.getByText('No one has reviewed this course yet.')).toBeVisible();
});
