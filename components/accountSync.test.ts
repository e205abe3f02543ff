import {
  forgetEverything,
  keep,
  kept,
  quietToasts,
  quotedLine,
  said,
  serverCart,
  serverThatSays,
  signIn,
  wireLine,
  wish,
} from './factories';

jest.doMock('../ui/toasts', quietToasts);
const { syncAccount } = jest.requireActual<typeof import('./cartSync')>('./cartSync');

beforeEach(() => {
  forgetEverything();
  signIn(7);
});

test('what a guest chose joins the account, and every line is told', async () => {
  keep('cart_products', [wireLine(), wireLine({ ID: 3, Name: 'Owned' }), wireLine({ ID: 4, checkflag: 1 })]);
  keep('wishlist_products', [{ ID: 5, Name: 'Liked', Price: 10 }]);
  const asked = serverThatSays({
    '/cart/merge': {
      lines: [
        { id: 1, outcome: 'added', message: '' },
        { id: 3, outcome: 'refused', message: 'You own this course already.' },
      ],
      cart: serverCart({ lines: [quotedLine()] }),
    },
    '/wishlist/merge': { wishes: [wish({ id: 5 })] },
  });
  await syncAccount();
  expect(asked).toEqual([
    [
      '/cart/merge',
      {
        lines: [
          { id: 1, quantity: 1 },
          { id: 3, quantity: 1 },
        ],
      },
    ],
    ['/wishlist/merge', { wishes: [{ id: 5, seenPrice: 1000 }] }],
  ]);
  expect(kept()).toEqual([wireLine({ checkflag: 1 }), wireLine({ ID: 3, Name: 'Owned', checkflag: 2 })]);
  expect(kept('wishlist_products')).toBeNull();
  expect(said.map((text) => text.split(':')[0])).toEqual(['info', 'warning']);
});

test('with nothing to join the account’s cart is fetched', async () => {
  const asked = serverThatSays({
    '/cart': serverCart({ lines: [quotedLine()] }),
    '/wishlist': { wishes: [] },
  });
  await syncAccount();
  expect([asked.map(([path]) => path), kept()]).toEqual([
    ['/cart', '/wishlist'],
    [wireLine({ checkflag: 1 })],
  ]);
});

test('an account that cannot be asked loses nothing here', async () => {
  keep('cart_products', [wireLine()]);
  serverThatSays({ '/cart/merge': 503 });
  await expect(syncAccount()).rejects.toMatchObject({ status: 503 });
  expect(kept()).toEqual([wireLine()]);
});
