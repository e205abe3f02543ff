import { readWishlist } from '../wishlist/wishlistStorage';
import { writeWishlist } from '../wishlist/wishlistWriter';
import { readCouponInfo, writeCouponInfo } from './couponStorage';

const INFO = { discountPercentage: 12.5, minimumAmount: 50, discountProductType: 'tax', discountAmount: 0 };

beforeEach(() => window.localStorage.clear());

test('couponInfo holds exactly its four fields and goes with the coupon', () => {
  writeCouponInfo({ ...INFO, code: 'TAX' } as typeof INFO);
  expect(JSON.parse(window.localStorage.couponInfo)).toEqual(INFO);
  expect(readCouponInfo()).toEqual(INFO);
  writeCouponInfo(null);
  expect([window.localStorage.length, readCouponInfo()]).toEqual([0, null]);
});

test.each([
  'x',
  '[]',
  '7',
  '{"discountPercentage": 200, "minimumAmount": 0, "discountProductType": "all", "discountAmount": 0}',
  '{"discountPercentage": 10, "minimumAmount": -1, "discountProductType": "all", "discountAmount": 0}',
  '{"discountPercentage": 10, "minimumAmount": 0, "discountProductType": {}, "discountAmount": 0}',
])('%s is no couponInfo', (text) => {
  window.localStorage.setItem('couponInfo', text);
  expect(readCouponInfo()).toBeNull();
});

test('the wishlist is stored with the prices that were seen', () => {
  writeWishlist([{ id: 1, name: 'VAT Basics', seenPrice: 9990 }]);
  expect(JSON.parse(window.localStorage.wishlist_products)).toEqual([
    { ID: 1, Name: 'VAT Basics', Price: 99.9 },
  ]);
  expect(readWishlist().entries).toEqual([{ id: 1, name: 'VAT Basics', seenPrice: 9990 }]);
});

test('an invalid entry is skipped', () => {
  window.localStorage.setItem(
    'wishlist_products',
    '[{"ID": 1, "Name": "A"}, {"ID": 2, "Name": "B", "Price": 1}]',
  );
  expect(readWishlist()).toEqual({ entries: [{ id: 2, name: 'B', seenPrice: 100 }], isDamaged: true });
});
