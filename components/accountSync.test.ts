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
import { SESSION } from './fixtures/session';

jest.doMock('./ui/toasts/toasts', mockToasts);
const { checkAccount, syncAccount } = jest.requireActual<typeof import('./accountSync')>('./accountSync');

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

describe('prices of an organisation', () => {
  const page = { page: 'shop', status: 200, props: { cards: [] } };
  const replaceData = jest.fn(async () => undefined);
  const account = { '/cart': serverCart(), '/wishlist': { items: [] }, '/data/shop': page };
  const organisations = [{ slug: 'northwind', name: 'Northwind' }];

  beforeEach(() => replaceData.mockClear());

  async function openAt(path: string, more: Partial<typeof SESSION>) {
    window.history.replaceState(null, '', path);
    const calls = mockServer({ ...account, '/auth/session': { ...SESSION, ...more } });
    await checkAccount(undefined, { build: 'b1', replaceData });
    await new Promise(process.nextTick);
    return calls.map(([called]) => called);
  }

  test('a member sees them on a public page, once the sign-in is checked', async () => {
    expect(await openAt('/shop', { organisations })).toContain('/data/shop');
    expect(replaceData.mock.calls).toEqual([[page]]);
  });

  test.each([
    ['nobody else asks', '/shop', []],
    ['nor a page without prices', '/about', organisations],
  ])('%s', async (_, path, own) => {
    expect(
      (await openAt(path, { organisations: own })).filter((called) => called.startsWith('/data')),
    ).toEqual([]);
    expect(replaceData).not.toHaveBeenCalled();
  });
});
