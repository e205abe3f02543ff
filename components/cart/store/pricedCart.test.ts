import { cartLine, quotedLine, serverCart } from './factories';
import { shownCart } from './shownCart';

const PERCENT = { discountPercentage: 10, minimumAmount: 0, discountProductType: 'all', discountAmount: 0 };

test('the total is the discount price where there is one, else the price, times the quantity', () => {
  const lines = [
    cartLine(),
    cartLine({ id: 2, discountPrice: 8000, quantity: 2 }),
    cartLine({ id: 3, discountPrice: 0 }),
  ];
  expect(shownCart(lines, null, null)).toMatchObject({ subtotal: 26000, total: 26000, isExact: false });
});

test('prices of the server count when they are of these very lines', () => {
  const server = serverCart({ lines: [quotedLine({ listPrice: 4900 })] });
  expect(shownCart([cartLine()], server, null)).toMatchObject({ total: 4900, isExact: true });
  expect(shownCart([cartLine({ quantity: 2 })], server, null)).toMatchObject({
    total: 20000,
    isExact: false,
  });
});

test('until the server answers, the coupon that was kept is taken off below the lines', () => {
  const made = shownCart([cartLine({ quantity: 3 })], null, PERCENT);
  expect(made).toMatchObject({ subtotal: 30000, discount: 3000, total: 27000, coupon: { code: null } });
});

test('what is sold no more and what the account refused is shown, and counted nowhere', () => {
  const lines = [cartLine(), cartLine({ id: 2 }), cartLine({ id: 3, status: 'refused' })];
  const server = serverCart({ lines: [quotedLine()], missing: [2] });
  const made = shownCart(lines, server, null);
  expect(made.lines.map(({ problem, total }) => [problem, total])).toEqual([
    [null, 10000],
    ['missing', null],
    ['refused', null],
  ]);
  expect([made.total, made.isExact]).toEqual([10000, true]);
});

test('a coupon that is refused says why; so does an offer refused on one line', () => {
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
  const made = shownCart([cartLine()], server, null);
  expect([made.coupon, made.lines[0]?.refusals]).toEqual([{ code: 'TAX', refusal: of(null) }, [of(1)]]);
});

test('a line keeps its code in a sum made here', () => {
  const line = cartLine({ discountPrice: 6400, discount: 1600, discountCode: 'SPRING20', quantity: 2 });
  const [made] = shownCart([line], null, PERCENT).lines;
  expect([made?.total, made?.losers.map(({ name }) => name)]).toEqual([12800, ['your coupon']]);
});
