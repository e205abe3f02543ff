/** @jest-environment node */
import { cartLine, quotedLine, serverCart } from '../../fixtures/cartServer';
import { shopFormat } from '../../fixtures/shopFormat';
import { pricedCart } from './pricedCart';

const SITE = shopFormat('en-US', 'USD');
const PERCENT = { discountPercentage: 10, minimumAmount: 0, discountProductType: 'all', discountAmount: 0 };

test('the total is the discount price where there is one, else the price, times the quantity', () => {
  const lines = [
    cartLine(),
    cartLine({ id: 2, discountPrice: 8000, quantity: 2 }),
    cartLine({ id: 3, discountPrice: 0 }),
  ];
  expect(pricedCart(lines, null, null, SITE)).toMatchObject({
    subtotal: 26000,
    total: 26000,
    isExact: false,
  });
});

test('prices of the server count when they are of these very lines', () => {
  const server = serverCart({ lines: [quotedLine({ listPrice: 4900 })] });
  expect(pricedCart([cartLine()], server, null, SITE)).toMatchObject({ total: 4900, isExact: true });
  expect(pricedCart([cartLine({ quantity: 2 })], server, null, SITE)).toMatchObject({
    total: 20000,
    isExact: false,
  });
});

test('until the server responds, the stored coupon lowers the total below the lines', () => {
  const cart = pricedCart([cartLine({ quantity: 3 })], null, PERCENT, SITE);
  expect(cart).toMatchObject({ subtotal: 30000, discount: 3000, total: 27000, coupon: { code: null } });
});

test('what is sold no more and what the account refused is shown, and counted nowhere', () => {
  const lines = [cartLine(), cartLine({ id: 2 }), cartLine({ id: 3, status: 'refused' })];
  const server = serverCart({ lines: [quotedLine()], unavailable: [2] });
  const cart = pricedCart(lines, server, null, SITE);
  expect(cart.lines.map(({ problem, total }) => [problem, total])).toEqual([
    [null, 10000],
    ['unavailable', null],
    ['refused', null],
  ]);
  expect([cart.total, cart.isExact]).toEqual([10000, true]);
});

test('a refused coupon has a reason; so has an offer refused on one line', () => {
  const of = (lineId: number | null) =>
    ({
      step: lineId ? 'code' : 'coupon',
      name: 'TAX',
      lineId,
      reason: 'minimum',
      message: 'Spend more.',
    }) as const;
  const coupon = { ...PERCENT, code: 'TAX' };
  const server = serverCart({ lines: [quotedLine()], coupon, refusals: [of(null), of(1)] });
  const cart = pricedCart([cartLine()], server, null, SITE);
  expect([cart.coupon, cart.lines[0]?.refusals]).toEqual([{ code: 'TAX', refusal: of(null) }, [of(1)]]);
});

test('a line has its code in a total computed here', () => {
  const line = cartLine({ discountPrice: 6400, discount: 1600, discountCode: 'SPRING20', quantity: 2 });
  const [cart] = pricedCart([line], null, PERCENT, SITE).lines;
  expect([cart?.total, cart?.rejectedOffers.map(({ name }) => name)]).toEqual([12800, ['your coupon']]);
});

test('a code that counts once is taken off once in a total computed here', () => {
  const code = { discount: null, discountCode: 'FIVE' };
  const server = serverCart({ lines: [quotedLine({ kind: 'item', code: 'FIVE', codeAmount: 500 })] });
  const cart = pricedCart([cartLine({ ...code, quantity: 3 })], server, null, SITE);
  expect(cart).toMatchObject({ isExact: false, subtotal: 30000, discount: 500, total: 29500 });
});

test('an offer refused here says its minimum as the page writes amounts', () => {
  const coupon = { ...PERCENT, minimumAmount: 5000 };
  const site = shopFormat('de-DE', 'EUR');
  const { refusal } = pricedCart([cartLine({ price: 123450 })], null, coupon, site).coupon ?? {};
  expect(refusal?.message).toBe('Spend 5.000,00\u00a0€ or more to use your coupon: 3.765,50\u00a0€ to go.');
});
