import { resetBrowser, wireLine, writeStored } from '../../fixtures/cartServer';
import type * as CartStore from './cartStore';

/** What the sign-in's callback would get. The cookie is that of its path alone. */
function offered(): string {
  const here = window.location.pathname;
  window.history.replaceState(null, '', '/logincallback');
  const [value = ''] = document.cookie.match(/(?<=guest_lines=)[^;]+/) ?? [];
  window.history.replaceState(null, '', here);
  return decodeURIComponent(value);
}

/** The store of a new document. */
function newDocument(): typeof CartStore {
  jest.resetModules();
  require('../../fixtures/jest/setDollars');
  return jest.requireActual<typeof CartStore>('./cartStore');
}

beforeEach(() => {
  resetBrowser();
  writeStored('cart_products', [wireLine({ orderQuantity: 2 })]);
  newDocument().loadCart();
});

test('the callback of a sign-in gets the lines of a guest, and nothing once the cart is empty', () => {
  expect(offered()).toBe('1*2');
  const { loadCart } = newDocument();
  loadCart();
  writeStored('cart_products', []);
  loadCart();
  expect(offered()).toBe('');
});

test('a document that begins with an empty cart offers nothing of its own and leaves what was offered', () => {
  writeStored('cart_products', []);
  const { loadCart } = newDocument();
  loadCart();
  expect(offered()).toBe('1*2');
});

test('lines that an account has already are not offered', () => {
  writeStored('cart_products', [wireLine({ checkflag: 1 })]);
  newDocument().loadCart();
  expect(offered()).toBe('');
});
