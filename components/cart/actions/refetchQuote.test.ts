import {
  mockServer,
  mockToasts,
  quotedLine,
  readStored,
  resetBrowser,
  serverCart,
  signIn,
  wireLine,
  writeStored,
} from '../../fixtures/cartServer';
import { loadCart } from '../store/cartStore';
import { matchesLines } from '../store/quoteStore';
import { currentCart } from '../store/storedCart';

jest.doMock('../../ui/toasts/toasts', mockToasts);
const { dismissPriceChanges, refetchQuote } =
  jest.requireActual<typeof import('./refetchQuote')>('./refetchQuote');
const { changeCoupon } = jest.requireActual<typeof import('./cartChanges')>('./cartChanges');

const COUPON = {
  code: 'TAX',
  discountPercentage: 10,
  minimumAmount: 5,
  discountProductType: 'all',
  discountAmount: 0,
};
const { code: _code, ...INFO } = COUPON;

beforeEach(() => {
  resetBrowser();
  void dismissPriceChanges();
});

test('a guest’s lines get names and prices of the server; their quantity stays', async () => {
  writeStored('cart_products', [wireLine({ Name: 'Old', Price: 0.01, orderQuantity: 2 })]);
  const book = quotedLine({ kind: 'item', itemKind: 'book', quantity: 2, salePrice: 8000 });
  const server = serverCart({ lines: [book], coupon: COUPON });
  const calls = mockServer({ '/cart/quote': server });
  await refetchQuote();
  expect(calls).toEqual([['/cart/quote', { lines: [{ id: 1, quantity: 2 }] }]]);
  expect(readStored()).toEqual([wireLine({ DiscountPrice: 80, orderQuantity: 2 })]);
  expect(readStored('couponInfo')).toEqual(INFO);
});

test('several of a bundle become one: it is bought once', async () => {
  writeStored('cart_products', [wireLine({ orderQuantity: 2 })]);
  mockServer({ '/cart/quote': serverCart({ lines: [quotedLine({ kind: 'item', itemKind: 'bundle' })] }) });
  await refetchQuote();
  expect(readStored()).toEqual([wireLine({ orderQuantity: 1 })]);
});

test('a guest’s empty cart makes no request', async () => {
  const calls = mockServer({});
  await refetchQuote();
  expect(calls).toEqual([]);
});

test('a learner’s lines are those of the account, and what was refused at sign-in stays to be seen', async () => {
  signIn(7);
  writeStored('cart_products', [
    wireLine({ checkflag: 1 }),
    wireLine({ ID: 3, Name: 'Owned', checkflag: 2 }),
  ]);
  mockServer({ '/cart': serverCart({ lines: [quotedLine({ id: 2, name: 'VAT Basics' })] }) });
  await refetchQuote();
  expect(readStored()).toEqual([
    wireLine({ ID: 2, Name: 'VAT Basics', checkflag: 1 }),
    wireLine({ ID: 3, Name: 'Owned', checkflag: 2 }),
  ]);
});

test('without an answer nothing changes', async () => {
  writeStored('cart_products', [wireLine()]);
  mockServer({ '/cart/quote': 503 });
  await refetchQuote();
  expect(readStored()).toEqual([wireLine()]);
});

test('the server’s cart covers lines of the same ids and quantities', () => {
  writeStored('cart_products', [wireLine({ orderQuantity: 2 }), wireLine({ ID: 2, checkflag: 2 })]);
  loadCart();
  const { lines } = currentCart();
  expect(matchesLines(serverCart({ lines: [quotedLine({ quantity: 2 })] }), lines)).toBe(true);
  expect(matchesLines(serverCart({ lines: [quotedLine({ quantity: 1 })] }), lines)).toBe(false);
  expect(matchesLines(serverCart({ unavailable: [1] }), lines)).toBe(true);
  expect(matchesLines(null, lines)).toBe(false);
});

test('a guest’s coupon is sent with the lines, and its refusal is returned', async () => {
  writeStored('cart_products', [wireLine()]);
  const refusal = { status: 'failed', message: 'This code cannot be used.', cart: null };
  const calls = mockServer({ '/cart/coupon': refusal });
  expect(await changeCoupon('NOPE')).toBe('This code cannot be used.');
  expect(calls).toEqual([['/cart/coupon', { code: 'NOPE', lines: [{ id: 1, quantity: 1 }] }]]);
});

test('after too many attempts the message says when to try again', async () => {
  globalThis.fetch = async () =>
    new Response('{"title": "Slow"}', { status: 429, headers: { 'Retry-After': '150' } });
  expect(await changeCoupon('X')).toBe('Too many codes were tried. Try again in 3 minutes.');
});

test('a price change is shown from the first seen price, until it is dismissed', async () => {
  writeStored('cart_products', [wireLine({ Price: 80 })]);
  for (const listPrice of [10000, 9000]) {
    mockServer({ '/cart/quote': serverCart({ lines: [quotedLine({ listPrice })] }) });
    await refetchQuote();
  }
  expect(JSON.parse(window.sessionStorage.price_changes)).toEqual([
    { id: 1, name: 'Payroll Basics', from: 8000, to: 9000 },
  ]);
  await dismissPriceChanges();
  expect(window.sessionStorage.price_changes).toBeUndefined();
});

test('a change that a learner dismissed is not shown again', async () => {
  signIn(7);
  const calls = mockServer({
    '/cart': serverCart({ lines: [quotedLine({ seenPrice: 8000 })] }),
    '/cart/seen': { status: 'success', message: '' },
  });
  await refetchQuote();
  await dismissPriceChanges();
  expect(calls.at(-1)).toEqual(['/cart/seen', { lines: [{ id: 1, price: 10000 }] }]);
});
