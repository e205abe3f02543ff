import { renderHook } from '@testing-library/react';
import { refreshAuth } from '../api/auth';
import { currentCart } from '../cart/store/storedCart';
import {
  BOOK,
  COURSE,
  holdServer,
  mockServer,
  mockToasts,
  readStored,
  resetBrowser,
  setCookie,
  signIn,
  toasts,
  wishlistItem,
} from '../fixtures/cartServer';
import { useWishlist } from './wishlistStore';

jest.doMock('../ui/toasts/toasts', mockToasts);
const { changeWishlist } = jest.requireActual<typeof import('./wishlistActions')>('./wishlistActions');
const { syncWishlist } = jest.requireActual<typeof import('./accountWishlist')>('./accountWishlist');

const SUCCESS = { status: 'success', message: '' };
function ids(): number[] {
  const { result, unmount } = renderHook(useWishlist);
  unmount();
  return [...result.current.ids];
}

beforeEach(async () => {
  resetBrowser();
  signIn(7);
  mockServer({ '/wishlist': { items: [wishlistItem({ id: 5 })] } });
  await syncWishlist();
});

test('what is pressed is shown at once, and taken back when the server refuses it', async () => {
  const [call] = [holdServer()];
  const change = changeWishlist(COURSE, true);
  expect(ids()).toEqual([5, 1]);
  await call[0]?.answer({ status: 'failed', message: 'This is not in the shop.' });
  expect([await change, ids(), toasts]).toEqual([false, [5], ['error: This is not in the shop.']]);
});

test('presses are sent one after another; a list that was requested before them does not undo them', async () => {
  const calls = holdServer();
  void syncWishlist();
  void changeWishlist(COURSE, true);
  void changeWishlist(BOOK, true);
  await calls[0]?.answer({ items: [wishlistItem({ id: 5 })] });
  expect([calls.map(({ path }) => path), ids()]).toEqual([
    ['/wishlist', '/wishlist/1'],
    [5, 1, 9],
  ]);
  await calls[1]?.answer({ title: 'No' }, 503);
  await calls[2]?.answer(SUCCESS);
  expect([ids(), toasts]).toEqual([
    [5, 9],
    ['error: Your wishlist was not changed. No', `success: ${BOOK.name} added to your wishlist`],
  ]);
});

test('when the session has ended in an open tab, the wishlist is that of a guest', async () => {
  setCookie('userInfo=; max-age=0');
  refreshAuth();
  expect(ids()).toEqual([]);
  await changeWishlist(COURSE, true);
  expect([ids(), readStored('wishlist_products')]).toEqual([[1], [{ ID: 1, Name: COURSE.name, Price: 100 }]]);
  await changeWishlist(COURSE, false);
  expect([ids(), currentCart().lines]).toEqual([[], []]);
});

test('another learner does not get the wishlist of the one before', () => {
  signIn(8);
  expect(ids()).toEqual([]);
});
