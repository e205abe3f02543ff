import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MemoryRouter, useLocation } from 'react-router-dom';
import type { OfferedLines } from '../../contracts/schema';
import {
  mockServer,
  mockToasts,
  quotedLine,
  readStored,
  resetBrowser,
  serverCart,
  signIn,
  toasts,
} from '../../fixtures/cartServer';
import { FORMAT, renderInShop } from '../../fixtures/renderInShop';
import { loadCart } from '../store/cartStore';

jest.doMock('../../ui/toasts/toasts', mockToasts);
const { Offered } = jest.requireActual<typeof import('./Offered')>('./Offered');

const SOLD_OUT = { id: 9, outcome: 'refused', message: 'Tax tables is sold out.' };
const BOOKS = quotedLine({ id: 9, name: 'Tax tables', kind: 'item', itemKind: 'book', quantity: 2 });

beforeEach(resetBrowser);

const Address = () => <output>{useLocation().pathname + useLocation().search}</output>;

function show(offered: OfferedLines) {
  loadCart();
  renderInShop(
    <MemoryRouter initialEntries={['/cart?cartToken=secret']}>
      <Address />
      <Offered offered={offered} format={FORMAT} />
    </MemoryRouter>,
  );
}

const PLAIN = { coupon: null, isGift: false, token: '', changes: [], promise: '' };

const press = () => userEvent.click(screen.getByRole('button', { name: 'Add to cart' }));

test('a guest puts what a link holds in the cart of this browser, and the address is the cart’s', async () => {
  const calls = mockServer({});
  show({ ...PLAIN, lines: [quotedLine(), BOOKS] });
  expect(screen.getByText('Add these to your cart?')).toBeVisible();
  expect(screen.getAllByRole('listitem').map((item) => item.textContent)).toEqual([
    'Payroll Basics, $100.00',
    '2 × Tax tables, $100.00',
  ]);
  expect(readStored()).toBeNull();
  await press();
  await waitFor(() => expect(screen.getByRole('status')).toHaveTextContent('/cart'));
  expect(readStored()).toMatchObject([
    { ID: 1, orderQuantity: 1 },
    { ID: 9, orderQuantity: 2 },
  ]);
  expect([calls, toasts]).toEqual([
    [],
    ['success: Payroll Basics added to cart', 'success: Tax tables added to cart'],
  ]);
});

test('a learner’s press adds all lines to the account in one call, with the coupon of the link', async () => {
  signIn(7);
  const cart = serverCart({ lines: [quotedLine()], version: 1 });
  const calls = mockServer({
    '/cart/merge': { cart, lines: [{ id: 1, outcome: 'added', message: '' }, SOLD_OUT] },
    '/cart/coupon': { status: 'success', message: '', cart },
  });
  show({ ...PLAIN, lines: [quotedLine(), BOOKS], coupon: 'SPRING' });
  await press();
  await waitFor(() => expect(screen.getByRole('status')).toHaveTextContent('/cart'));
  expect(calls).toEqual([
    [
      '/cart/merge',
      {
        lines: [
          { id: 1, quantity: 1 },
          { id: 9, quantity: 2 },
        ],
      },
    ],
    ['/cart/coupon', { code: 'SPRING' }],
  ]);
  expect(toasts).toEqual(['success: Payroll Basics added to cart', 'error: Tax tables is sold out.']);
});

test('a link that has expired offers nothing', () => {
  show({ ...PLAIN, lines: [] });
  expect(screen.getByText('Nothing to add')).toBeVisible();
  expect(screen.queryByRole('button')).toBeNull();
});

test('a gift is posted to the host by a learner; a guest signs in first and comes back to it', () => {
  show({ ...PLAIN, lines: [quotedLine()], isGift: true });
  expect(screen.getByText('Give this as a gift?')).toBeVisible();
  expect(screen.getByRole('link', { name: 'Sign in to give it' })).toHaveAttribute(
    'href',
    '/api/auth/start?returnTo=%2Fcart%3Fadd%3D1%26gift%3D1&area=learner',
  );
  act(() => signIn(7));
  const form = screen.getByRole('button', { name: 'Add to cart' }).closest('form');
  expect(form).toHaveFormValues({ do: 'add', gift: '1' });
  expect(form).toHaveAttribute('action', '/cart');
});

test('a link of a program says what has changed, and its prices are those of the account that takes it over', async () => {
  const calls = mockServer({
    '/cart/merge': { cart: serverCart({ lines: [quotedLine()], version: 1 }), lines: [] },
  });
  const texts = { changes: ['Tax tables is sold out.'], promise: 'Whoever signs in pays these prices.' };
  show({ ...PLAIN, ...texts, lines: [quotedLine()], token: 'secret' });
  expect(screen.getByText('Tax tables is sold out.')).toBeVisible();
  expect(screen.queryByRole('button')).toBeNull();
  expect(screen.getByRole('link', { name: 'Sign in to buy at these prices' })).toHaveAttribute(
    'href',
    '/api/auth/start?returnTo=%2Fcart%3FcartToken%3Dsecret&area=learner',
  );
  act(() => signIn(7));
  expect(screen.getByText('Whoever signs in pays these prices.')).toBeVisible();
  await press();
  await waitFor(() =>
    expect(calls).toEqual([['/cart/merge', { lines: [{ id: 1, quantity: 1 }], cartToken: 'secret' }]]),
  );
});

test('a link of which nothing is left says why', () => {
  show({ ...PLAIN, lines: [], changes: ['Tax tables is sold out.'] });
  expect(screen.getByText('Tax tables is sold out.')).toBeVisible();
  expect(screen.queryByText(/has expired/)).toBeNull();
});
