import {
  mockServer,
  mockToasts,
  quotedLine,
  readStored,
  resetBrowser,
  serverCart,
  signIn,
  toasts,
  wireLine,
  wishlistItem,
  writeStored,
} from './fixtures/cartServer';

jest.doMock('./ui/toasts/toasts', mockToasts);
const { syncAccount } = jest.requireActual<typeof import('./accountSync')>('./accountSync');

beforeEach(() => {
  resetBrowser();
  signIn(7);
});

test("a guest's lines are merged into the account, and every line is reported", async () => {
  writeStored('cart_products', [
    wireLine(),
    wireLine({ ID: 3, Name: 'Owned' }),
    wireLine({ ID: 4, checkflag: 1 }),
  ]);
  writeStored('wishlist_products', [{ ID: 5, Name: 'Liked', Price: 10 }]);
  const calls = mockServer({
    '/cart/merge': {
      lines: [
        { id: 1, outcome: 'added', message: '' },
        { id: 3, outcome: 'refused', message: 'You own this course already.' },
      ],
      cart: serverCart({ lines: [quotedLine()] }),
    },
    '/wishlist/merge': { items: [wishlistItem({ id: 5 })] },
  });
  await syncAccount();
  expect(calls).toEqual([
    [
      '/cart/merge',
      {
        lines: [
          { id: 1, quantity: 1 },
          { id: 3, quantity: 1 },
        ],
      },
    ],
    ['/wishlist/merge', { items: [{ id: 5, seenPrice: 1000 }] }],
  ]);
  expect(readStored()).toEqual([
    wireLine({ checkflag: 1 }),
    wireLine({ ID: 3, Name: 'Owned', checkflag: 2 }),
  ]);
  expect(readStored('wishlist_products')).toBeNull();
  expect(toasts.map((text) => text.split(':')[0])).toEqual(['info', 'warning']);
});

test('with nothing to join the account’s cart is fetched', async () => {
  const calls = mockServer({
    '/cart': serverCart({ lines: [quotedLine()] }),
    '/wishlist': { items: [] },
  });
  await syncAccount();
  expect([calls.map(([path]) => path), readStored()]).toEqual([
    ['/cart', '/wishlist'],
    [wireLine({ checkflag: 1 })],
  ]);
});

test('when the account cannot be reached, the local lines stay', async () => {
  writeStored('cart_products', [wireLine()]);
  mockServer({ '/cart/merge': 503 });
  await expect(syncAccount()).rejects.toMatchObject({ status: 503 });
  expect(readStored()).toEqual([wireLine()]);
});
