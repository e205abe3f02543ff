import { act, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ReactNode } from 'react';
import { renderInShop } from '../ui/factories';
import type { CartView as View } from './CartView';
import { loadCart } from './cartStore';
import {
  forgetEverything,
  keep,
  kept,
  quietToasts,
  quotedLine,
  said,
  serverCart,
  serverThatSays,
  signIn,
  wireLine,
} from './factories';

jest.doMock('../ui/toasts', quietToasts);
jest.doMock('../ui/useStyles', () => ({ useStyles: () => undefined }));
const { CartView } = jest.requireActual<{ CartView: typeof View }>('./CartView');

const QUESTION = 'Are you sure deleted your all cart items ?';
const CODED = {
  ...quotedLine(),
  unitPrice: 7500,
  unitOff: 2500,
  code: 'TAX25',
  total: 7500,
  steps: [
    { step: 'list' as const, name: '', change: 0, total: 10000 },
    { step: 'code' as const, name: 'TAX25', change: -2500, total: 7500 },
  ],
  losers: [
    { step: 'coupon' as const, name: 'SPRING15', total: 8500, reason: 'dearer' as const, message: '' },
  ],
};

beforeEach(forgetEverything);

async function show(node: ReactNode = <CartView />) {
  loadCart();
  await act(async () => renderInShop(node));
}

test('a cart with nothing in it says so and asks nobody', async () => {
  await show();
  expect(screen.getByRole('heading', { name: 'Your cart is empty' })).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Clear cart' })).toBeNull();
});

test('clearing asks first: no is the first answer, yes empties the cart', async () => {
  keep('cart_products', [wireLine()]);
  serverThatSays({ '/cart/quote': serverCart({ lines: [quotedLine()] }) });
  await show();
  await userEvent.click(screen.getByRole('button', { name: 'Clear cart' }));
  const dialog = screen.getByRole('dialog', { name: QUESTION });
  expect(
    within(dialog)
      .getAllByRole('button')
      .map((one) => one.textContent),
  ).toEqual(['Keep my items', 'Clear cart']);
  await act(async () => (dialog as HTMLDialogElement).close(''));
  expect([screen.queryByRole('dialog'), kept()]).toEqual([null, [wireLine()]]);
  await userEvent.click(screen.getByRole('button', { name: 'Clear cart' }));
  await act(async () => (screen.getByRole('dialog') as HTMLDialogElement).close('yes'));
  expect([kept(), said]).toEqual([null, ['error: Payroll Basics remove to cart']]);
  expect(screen.getByRole('button', { name: 'Undo' })).toHaveFocus();
});

test('a price names its steps, and who lost against whom', async () => {
  keep('cart_products', [wireLine()]);
  serverThatSays({ '/cart/quote': serverCart({ lines: [CODED] }) });
  await show();
  expect(await screen.findByText('TAX25 is lower: $75.00 instead of $85.00 with SPRING15.')).toBeVisible();
  expect([...document.querySelectorAll('.trail__step')].map((step) => step.textContent)).toEqual([
    'List price$100.00',
    'Code TAX25−$25.00',
    'You pay$75.00',
  ]);
});

test('a price that has changed is told until it was read', async () => {
  keep('cart_products', [wireLine({ Price: 80 })]);
  serverThatSays({ '/cart/quote': serverCart({ lines: [quotedLine()] }) });
  await show();
  expect(await screen.findByText(/was \$80\.00/)).toHaveTextContent(
    'Payroll Basics: $100.00, was $80.00. $20.00 more',
  );
  await userEvent.click(screen.getByRole('button', { name: 'Got it' }));
  expect(screen.queryByText('A price has changed')).toBeNull();
});

test('a guest is told what a code on one line would need; a learner gets a field', async () => {
  keep('cart_products', [wireLine()]);
  serverThatSays({
    '/cart/quote': serverCart({ lines: [quotedLine()] }),
    '/cart': serverCart({ lines: [quotedLine()] }),
  });
  await show();
  expect(screen.getByText(/to use a code on a single line/)).toBeInTheDocument();
  await act(async () => signIn(7));
  expect(screen.getByLabelText('Code for Payroll Basics')).toBeInTheDocument();
});

test('a code that is refused says so at its field, and stays there to be mended', async () => {
  keep('cart_products', [wireLine()]);
  serverThatSays({
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
