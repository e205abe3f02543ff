import { act, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MemoryRouter } from 'react-router-dom';
import { SiteProvider } from '../../api/site';
import { writeCartVersion } from '../../browser/session/cartVersion';
import { syncCart } from '../../cart/account/mergeGuestCart';
import { loadCart } from '../../cart/store/cartStore';
import type { PageData } from '../../contracts/schema';
import { mockServer, quotedLine, resetBrowser, serverCart, signIn } from '../../fixtures/cartServer';
import { SITE } from '../../fixtures/renderInShop';
import { HEAD, SESSION } from '../../fixtures/session';
import { CartPage } from './CartPage';

jest.mock('../../ui/useStyles', () => ({ useStyles: () => undefined }));

const cartOf = (version: number) => serverCart({ lines: [quotedLine()], version });

beforeEach(resetBrowser);

/** The page of a learner, whose cart the account's sync reads beside it. */
async function show(cart = cartOf(3)) {
  const calls = mockServer({
    '/cart': serverCart({ version: 4 }),
    '/cart/lines/1': { status: 'success', message: '', cart: serverCart({ version: 4 }) },
  });
  signIn(7);
  loadCart();
  const page: PageData = {
    page: 'cart',
    status: 200,
    head: HEAD,
    props: { title: 'Cart' },
    session: SESSION,
  };
  const { unmount } = render(
    <MemoryRouter>
      <SiteProvider site={SITE} page={page}>
        <CartPage cart={cart} />
      </SiteProvider>
    </MemoryRouter>,
  );
  await act(syncCart);
  // The prices are read in a task of their own.
  await act(async () => void (await new Promise((done) => setTimeout(done))));
  return { calls, unmount };
}

test('the cart that came with the page is shown without a request', async () => {
  const { calls } = await show();
  expect(screen.getByRole('link', { name: 'Payroll Basics' })).toBeVisible();
  expect(calls).toEqual([]);
});

test('a cart older than the one this browser knows is asked for', async () => {
  writeCartVersion(7, 4);
  const { calls } = await show();
  expect(screen.getByRole('heading', { name: 'Your cart is empty' })).toBeVisible();
  expect(calls.map(([path]) => path)).toEqual(['/cart', '/cart']);
});

test('after a change the cart of the page counts no more', async () => {
  const { calls } = await show();
  await userEvent.click(screen.getByRole('button', { name: 'Save for later: Payroll Basics' }));
  await act(syncCart);
  expect(calls.map(([path]) => path)).toContain('/cart');
});

test('a page shown again from the browser’s memory asks for the cart', async () => {
  const cart = cartOf(5);
  const { unmount } = await show(cart);
  unmount();
  const { calls } = await show(cart);
  expect(calls.map(([path]) => path)).toContain('/cart');
});
