import type { CartLine } from '../../model/cartLine';

const fetched: string[] = [];
let learner: { id: number } | null;
jest.doMock('../../api/auth', () => ({ refreshAuth: () => ({ learner }) }));
jest.doMock('./accountCart', () => ({ fetchCart: async () => void fetched.push('cart') }));
const { removeBought } = jest.requireActual<typeof import('./removeBought')>('./removeBought');
const { changeStored, storedCart } =
  jest.requireActual<typeof import('../store/storedCart')>('../store/storedCart');
const { readCouponInfo, writeCouponInfo } = jest.requireActual<
  typeof import('../../browser/storage/couponStorage')
>('../../browser/storage/couponStorage');

const line = (id: number, status: CartLine['status']): CartLine => ({
  id,
  name: `Product ${id}`,
  price: 1000,
  discountPrice: null,
  quantity: 1,
  discount: null,
  discountCode: null,
  status,
});

beforeEach(() => {
  fetched.length = 0;
  writeCouponInfo({
    discountPercentage: 10,
    minimumAmount: 0,
    discountProductType: 'all',
    discountAmount: 0,
  });
  changeStored(() => ({
    lines: [line(1, 'registered'), line(2, 'local'), line(3, 'registered')],
    saved: [line(4, 'registered')],
  }));
});

const ids = () => Object.values(storedCart()).map((lines) => lines.map(({ id }) => id));

test('signed in, the bought lines and the coupon go, and the account is asked for the rest', async () => {
  learner = { id: 7 };
  await removeBought([1, 2, null]);
  expect([ids(), readCouponInfo(), fetched]).toEqual([[[3], [4]], null, ['cart']]);
});

test('signed out, what the server had registered goes: a guest has bought nothing', async () => {
  learner = null;
  await removeBought(null);
  expect([ids(), readCouponInfo(), fetched]).toEqual([[[2], [4]], null, []]);
});
