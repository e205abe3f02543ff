import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { cartLine, mockServer, resetBrowser } from '../../fixtures/cartServer';
import { renderInShop } from '../../fixtures/renderInShop';
import { CartLink } from './CartLink';

const URL = 'http://localhost/cart?cartToken=secret';
const LINK = { url: URL, expiresAt: new Date(Date.now() + 24 * 3_600_000).toISOString() };
const LINES = [cartLine({ quantity: 2 }), cartLine({ id: 9, status: 'refused' })];

beforeEach(resetBrowser);

const press = (name: string) => userEvent.click(screen.getByRole('button', { name }));

test('a press makes a link to the lines that count, selected to be copied', async () => {
  const calls = mockServer({ '/cart/links': LINK });
  userEvent.setup();
  renderInShop(<CartLink lines={LINES} />);
  await press('Open this cart on another device');
  expect(calls).toEqual([['/cart/links', { lines: [{ id: 1, quantity: 2 }] }]]);
  const field = screen.getByLabelText('Link to this cart');
  expect(field).toHaveValue(URL);
  await waitFor(() => expect(field).toHaveFocus());
  expect(field).toHaveAccessibleDescription(/For 24 hours it shows these items/);
  await press('Copy');
  expect(await navigator.clipboard.readText()).toBe(URL);
  expect(screen.getByRole('status')).toHaveTextContent('Copied.');
});

test('a changed cart needs another link', async () => {
  mockServer({ '/cart/links': LINK });
  const { rerender } = renderInShop(<CartLink lines={LINES} />);
  await press('Open this cart on another device');
  rerender(<CartLink lines={[cartLine({ quantity: 3 })]} />);
  expect(screen.queryByLabelText('Link to this cart')).toBeNull();
});

test('a failure is said, and the press can be repeated', async () => {
  mockServer({ '/cart/links': 503 });
  renderInShop(<CartLink lines={LINES} />);
  await press('Open this cart on another device');
  expect(screen.getByRole('alert')).toHaveTextContent('Status 503.');
  expect(screen.getByRole('button', { name: 'Open this cart on another device' })).toBeVisible();
});

test('nothing to buy needs no link', () => {
  renderInShop(<CartLink lines={[cartLine({ status: 'refused' })]} />);
  expect(screen.queryByRole('button')).toBeNull();
});
