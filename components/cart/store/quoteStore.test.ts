import { currentCart, loadCart } from './cartStore';
import {
  forgetEverything,
  keep,
  kept,
  quietToasts,
  quotedLine,
  serverCart,
  serverThatSays,
  signIn,
  wireLine,
} from './factories';
import { askForPrices, covers, forgetChanges } from './quoteStore';

jest.doMock('../ui/toasts', quietToasts);
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
  forgetEverything();
  void forgetChanges();
});

test('a guest’s lines get names and prices of the server, and keep their quantity', async () => {
  keep('cart_products', [wireLine({ Name: 'Old', Price: 0.01, orderQuantity: 2 })]);
  const server = serverCart({ lines: [quotedLine({ quantity: 2, salePrice: 8000 })], coupon: COUPON });
  const asked = serverThatSays({ '/cart/quote': server });
  await askForPrices();
  expect(asked).toEqual([['/cart/quote', { lines: [{ id: 1, quantity: 2 }] }]]);
  expect(kept()).toEqual([wireLine({ DiscountPrice: 80, orderQuantity: 2 })]);
  expect(kept('couponInfo')).toEqual(INFO);
});

test('an empty guest’s cart asks for nothing', async () => {
  const asked = serverThatSays({});
  await askForPrices();
  expect(asked).toEqual([]);
});

test('a learner’s lines are those of the account, and what was refused at sign-in stays to be seen', async () => {
  signIn(7);
  keep('cart_products', [wireLine({ checkflag: 1 }), wireLine({ ID: 3, Name: 'Owned', checkflag: 2 })]);
  serverThatSays({ '/cart': serverCart({ lines: [quotedLine({ id: 2, name: 'VAT Basics' })] }) });
  await askForPrices();
  expect(kept()).toEqual([
    wireLine({ ID: 2, Name: 'VAT Basics', checkflag: 1 }),
    wireLine({ ID: 3, Name: 'Owned', checkflag: 2 }),
  ]);
});

test('without an answer nothing changes', async () => {
  keep('cart_products', [wireLine()]);
  serverThatSays({ '/cart/quote': 503 });
  await askForPrices();
  expect(kept()).toEqual([wireLine()]);
});

test('the server’s cart covers lines of the same ids and quantities', () => {
  keep('cart_products', [wireLine({ orderQuantity: 2 }), wireLine({ ID: 2, checkflag: 2 })]);
  loadCart();
  const { lines } = currentCart();
  expect(covers(serverCart({ lines: [quotedLine({ quantity: 2 })] }), lines)).toBe(true);
  expect(covers(serverCart({ lines: [quotedLine({ quantity: 1 })] }), lines)).toBe(false);
  expect(covers(serverCart({ missing: [1] }), lines)).toBe(true);
  expect(covers(null, lines)).toBe(false);
});

test('a guest’s coupon is asked for with the lines, and its refusal is handed on', async () => {
  keep('cart_products', [wireLine()]);
  const refusal = { status: 'failed', message: 'This code cannot be used.', cart: null };
  const asked = serverThatSays({ '/cart/coupon': refusal });
  expect(await changeCoupon('NOPE')).toBe('This code cannot be used.');
  expect(asked).toEqual([['/cart/coupon', { code: 'NOPE', lines: [{ id: 1, quantity: 1 }] }]]);
});

test('too many tries say when to try again', async () => {
  globalThis.fetch = async () =>
    new Response('{"title": "Slow"}', { status: 429, headers: { 'Retry-After': '150' } });
  expect(await changeCoupon('X')).toBe('Too many codes were tried. Try again in 3 minutes.');
});

test('a price that changed is told from where it was first seen, until it was read', async () => {
  keep('cart_products', [wireLine({ Price: 80 })]);
  for (const listPrice of [10000, 9000]) {
    serverThatSays({ '/cart/quote': serverCart({ lines: [quotedLine({ listPrice })] }) });
    await askForPrices();
  }
  expect(JSON.parse(window.sessionStorage.price_changes)).toEqual([
    { id: 1, name: 'Payroll Basics', from: 8000, to: 9000 },
  ]);
  await forgetChanges();
  expect(window.sessionStorage.price_changes).toBeUndefined();
});

test('a learner who has read of a change is not told again', async () => {
  signIn(7);
  const asked = serverThatSays({
    '/cart': serverCart({ lines: [quotedLine({ seenPrice: 8000 })] }),
    '/cart/seen': { status: 'success', message: '' },
  });
  await askForPrices();
  await forgetChanges();
  expect(asked.at(-1)).toEqual(['/cart/seen', { lines: [{ id: 1, price: 10000 }] }]);
});
