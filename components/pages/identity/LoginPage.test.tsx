import { act, screen } from '@testing-library/react';
import { loadCart } from '../../cart/store/cartStore';
import { mockHost, REGISTERING, renderAt, resetBrowser, transaction } from '../../fixtures/identityHost';
import { LoginPage } from './LoginPage';
import { RegisterPage } from './RegisterPage';

jest.mock('../../ui/useStyles', () => ({ useStyles: () => undefined }));

const line = (id: number, orderQuantity: number) => ({
  ID: id,
  Name: 'Payroll Basics',
  Price: 100,
  orderQuantity,
});

async function open(address: string, lines: object[], waiting = '') {
  mockHost({ '/auth/provider': [{ hasAuthn: true, frame: null }] });
  window.localStorage.setItem('cart_products', JSON.stringify(lines));
  await renderAt(address, <LoginPage waiting={waiting} />);
  act(() => void loadCart());
}

beforeEach(resetBrowser);

test.each([
  ['/login?returnTo=%2Fcheckout', [line(1, 2), line(2, 1)], '', 'Your 3 items are kept.'],
  ['/login?returnTo=%2Fcart%3Fadd%3D1', [line(1, 1)], '', 'Your item is kept.'],
  [
    '/login?returnTo=%2Fuser-dashboard',
    [line(1, 1)],
    'Ada L. gave you “VAT basics”.',
    'Ada L. gave you “VAT basics”.',
  ],
])('%s says what waits', async (address, lines, waiting, expected) => {
  await open(address, lines, waiting);
  expect(screen.getByText(expected)).toBeVisible();
  expect(screen.queryByText('Your courses, certificates and orders are waiting.')).toBeNull();
});

test.each([
  ['/login?returnTo=%2Fcheckout', []],
  ['/login?returnTo=%2Fprofile', [line(1, 1)]],
])('%s says nothing of a cart that does not wait there', async (address, lines) => {
  await open(address, lines);
  expect(screen.getByText('Your courses, certificates and orders are waiting.')).toBeVisible();
});

test.each([
  ['/register?returnTo=%2Fcheckout', [line(1, 2)], '', 'Your 2 items are kept.'],
  [
    '/register?returnTo=%2Fuser-dashboard',
    [],
    'Ada L. gave you “VAT basics”.',
    'Ada L. gave you “VAT basics”.',
  ],
])('%s says what waits above the form', async (address, lines, waiting, expected) => {
  mockHost({ '/auth/idx/start': [transaction({ flow: 'register', username: null, steps: [REGISTERING] })] });
  window.localStorage.setItem('cart_products', JSON.stringify(lines));
  await renderAt(address, <RegisterPage waiting={waiting} />);
  act(() => void loadCart());
  expect(screen.getByText(expected)).toBeVisible();
  expect(screen.getByLabelText(/^First name/)).toBeVisible();
});
