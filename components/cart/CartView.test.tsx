import { act, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ReactNode } from 'react';
import { writeCart } from '../browser/storage/cartStorage';
import { readLine } from '../browser/storage/storedLine';
import {
  mockServer,
  mockToasts,
  quotedLine,
  readStored,
  resetBrowser,
  serverCart,
  signIn,
  toasts,
  wireLine,
  writeStored,
} from '../fixtures/cartServer';
import { renderInShop } from '../fixtures/renderInShop';
import type { CartLine } from '../model/cartLine';
import type { CartView as View } from './CartView';
import { loadCart } from './store/cartStore';

jest.doMock('../ui/toasts/toasts', mockToasts);
jest.doMock('../ui/useStyles', () => ({ useStyles: () => undefined }));
const { CartView } = jest.requireActual<{ CartView: typeof View }>('./CartView');

const QUESTION = 'Are you sure deleted your all cart items ?';
const CODED = {
  ...quotedLine(),
  unitPrice: 7500,
  unitDiscount: 2500,
  code: 'TAX25',
  total: 7500,
  steps: [
    { step: 'list' as const, name: '', change: 0, total: 10000 },
    { step: 'code' as const, name: 'TAX25', change: -2500, total: 7500 },
  ],
  rejectedOffers: [
    { step: 'coupon' as const, name: 'SPRING15', total: 8500, reason: 'higher' as const, message: '' },
  ],
};

beforeEach(resetBrowser);

async function show(node: ReactNode = <CartView />) {
  loadCart();
  await act(async () => renderInShop(node));
}

test('an empty cart shows a message and makes no request', async () => {
  await show();
  expect(screen.getByRole('heading', { name: 'Your cart is empty' })).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Clear cart' })).toBeNull();
});

const UNSTORED =
  'This browser stores nothing for this site. Your cart lasts until you close or reload this page.';

test('a guest whose browser stores nothing is told how long the cart lasts, and can sign in with it', async () => {
  const refused = jest.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new DOMException('refused', 'SecurityError');
  });
  mockServer({ '/cart/quote': serverCart({ lines: [quotedLine()] }) });
  loadCart();
  writeCart([readLine(wireLine()) as CartLine]);
  await show();
  expect(screen.getByText(UNSTORED)).toBeVisible();
  await act(async () => signIn(7));
  expect(screen.queryByText(UNSTORED)).toBeNull();
  refused.mockRestore();
  writeCart([]);
});

test('clearing is confirmed first: cancel has the focus, confirming empties the cart', async () => {
  writeStored('cart_products', [wireLine()]);
  mockServer({ '/cart/quote': serverCart({ lines: [quotedLine()] }) });
  await show();
  await userEvent.click(screen.getByRole('button', { name: 'Clear cart' }));
  const dialog = screen.getByRole('dialog', { name: QUESTION });
  expect(
    within(dialog)
      .getAllByRole('button')
      .map((element) => element.textContent),
  ).toEqual(['Keep my items', 'Clear cart']);
  await act(async () => (dialog as HTMLDialogElement).close(''));
  expect([screen.queryByRole('dialog'), readStored()]).toEqual([null, [wireLine()]]);
  await userEvent.click(screen.getByRole('button', { name: 'Clear cart' }));
  await act(async () => (screen.getByRole('dialog') as HTMLDialogElement).close('yes'));
  expect([readStored(), toasts]).toEqual([null, ['error: Payroll Basics remove to cart']]);
  expect(screen.getByRole('button', { name: 'Undo' })).toHaveFocus();
});

test('a price names its steps, and who lost against whom', async () => {
  writeStored('cart_products', [wireLine()]);
  mockServer({ '/cart/quote': serverCart({ lines: [CODED] }) });
  await show();
  expect(await screen.findByText('TAX25 is lower: $75.00 instead of $85.00 with SPRING15.')).toBeVisible();
  expect([...document.querySelectorAll('.price-breakdown__step')].map((step) => step.textContent)).toEqual([
    'List price$100.00',
    'Code TAX25−$25.00',
    'You pay$75.00',
  ]);
});

test('a changed price is shown until it is dismissed', async () => {
  writeStored('cart_products', [wireLine({ Price: 80 })]);
  mockServer({ '/cart/quote': serverCart({ lines: [quotedLine()] }) });
  await show();
  expect(await screen.findByText(/was \$80\.00/)).toHaveTextContent(
    'Payroll Basics: $100.00, was $80.00. $20.00 more',
  );
  await userEvent.click(screen.getByRole('button', { name: 'Dismiss' }));
  expect(screen.queryByText('A price has changed')).toBeNull();
});

test('a guest sees that a code on one line needs a sign-in; a learner gets a field', async () => {
  writeStored('cart_products', [wireLine()]);
  mockServer({
    '/cart/quote': serverCart({ lines: [quotedLine()] }),
    '/cart': serverCart({ lines: [quotedLine()] }),
  });
  await show();
  expect(screen.getByText(/to use a code on a single line/)).toBeInTheDocument();
  await act(async () => signIn(7));
  expect(screen.getByLabelText('Code for Payroll Basics')).toBeInTheDocument();
});

test('a refused code is reported at its field and stays there for correction', async () => {
  writeStored('cart_products', [wireLine()]);
  mockServer({
    '/cart/quote': serverCart({ lines: [quotedLine()] }),
    '/cart/coupon': { status: 'failed', message: 'This code cannot be used.', cart: null },
  });
  await show();
  const field = screen.getByLabelText('Coupon for the whole cart');
  await userEvent.type(field, 'NOPE{Enter}');
  expect(await screen.findByText('This code cannot be used.')).toHaveAttribute('role', 'alert');
  expect(field).toHaveValue('NOPE');
  expect(field).toBeInvalid();
});

const COUPON = {
  code: 'SPRING15',
  discountPercentage: 15,
  minimumAmount: 0,
  discountProductType: 'all',
  discountAmount: 0,
};

test.each([
  ['a coupon', 'Remove coupon SPRING15', '/cart/coupon'],
  ['the code of a line', 'Remove code TAX25: Payroll Basics', '/SetCourseCoupon'],
])('%s that could not be removed says so', async (_, name, path) => {
  writeStored('cart_products', [wireLine()]);
  const cart = serverCart({ lines: [CODED], coupon: COUPON });
  mockServer({ '/cart/quote': cart, '/cart': cart, [path]: 503 });
  await show();
  await act(async () => signIn(7));
  await userEvent.click(await screen.findByRole('button', { name }));
  expect(toasts).toEqual(['error: The code was not removed. Status 503.']);
});

test('after a coupon is removed the focus is where the next code can be entered', async () => {
  writeStored('cart_products', [wireLine()]);
  const without = serverCart({ lines: [quotedLine()] });
  mockServer({
    '/cart/quote': serverCart({ lines: [quotedLine()], coupon: COUPON }),
    '/cart/coupon': { status: 'success', message: '', cart: without },
  });
  await show();
  await userEvent.click(await screen.findByRole('button', { name: 'Remove coupon SPRING15' }));
  expect(screen.getByRole('region', { name: 'Coupon' })).toHaveFocus();
});
