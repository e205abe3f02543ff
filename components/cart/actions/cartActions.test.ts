import {
  BOOK,
  COURSE,
  holdServer,
  mockServer,
  mockToasts,
  ON_SALE,
  quotedLine,
  readStored,
  resetBrowser,
  serverCart,
  setCookie,
  signIn,
  toasts,
  wireLine,
  writeStored,
} from '../../fixtures/cartServer';

jest.doMock('../../ui/toasts/toasts', mockToasts);
const { addToCart, changeQuantity, undoRemove, removeLines } =
  jest.requireActual<typeof import('./cartActions')>('./cartActions');
const { currentCart } = jest.requireActual<typeof import('../store/storedCart')>('../store/storedCart');

const { refetchQuote } = jest.requireActual<typeof import('./refetchQuote')>('./refetchQuote');
const { saveForLater } = jest.requireActual<typeof import('./cartChanges')>('./cartChanges');
const { refreshAuth } = jest.requireActual<typeof import('../../api/auth')>('../../api/auth');

const SUCCESS = { Status: 'success', Message: '' };
const FAILED = { Status: 'failed', Message: 'You own this course already.' };
const line = (id: number) => {
  const line = currentCart().lines.find((candidate) => candidate.id === id);
  if (!line) throw new Error(`No line ${id}`);
  return line;
};

beforeEach(resetBrowser);

describe('signed out, without a call', () => {
  test('a course is added with quantity 1 and no discount', async () => {
    await addToCart(COURSE, 1);
    expect([readStored(), toasts]).toEqual([[wireLine()], ['success: Payroll Basics added to cart']]);
  });

  test('a sale price is its discount price', async () => {
    await addToCart(ON_SALE, 1);
    expect(readStored()).toEqual([wireLine({ ID: 2, Name: 'VAT Basics', DiscountPrice: 80.5 })]);
  });

  test('a course that is there stays as it is; a shop item grows by the counter', async () => {
    for (const product of [COURSE, COURSE, BOOK, BOOK]) await addToCart(product, 3);
    expect(currentCart().lines.map(({ id, quantity }) => [id, quantity])).toEqual([
      [1, 1],
      [9, 6],
    ]);
    expect(toasts).toHaveLength(4);
  });

  test('a lower quantity shows a toast, a higher one does not', async () => {
    await addToCart(BOOK, 2);
    toasts.length = 0;
    await changeQuantity(line(9), 3);
    await changeQuantity(line(9), 2);
    expect([line(9).quantity, toasts]).toEqual([2, ['info: Decrement Quantity For The Calm Month End']]);
  });

  test('a line is removed at once, and is restored at its position', async () => {
    for (const product of [COURSE, ON_SALE, BOOK]) await addToCart(product, 1);
    const removed = { line: line(2), place: 1 };
    toasts.length = 0;
    await removeLines([removed.line]);
    expect([currentCart().lines.map(({ id }) => id), toasts]).toEqual([
      [1, 9],
      ['error: VAT Basics remove to cart'],
    ]);
    await undoRemove([removed]);
    expect(currentCart().lines.map(({ id }) => id)).toEqual([1, 2, 9]);
  });
});

describe('signed in', () => {
  beforeEach(() => signIn(7));

  test('success adds the line as registered', async () => {
    const calls = mockServer({ '/SetAAUserCourse': SUCCESS });
    await addToCart(COURSE, 1);
    expect(calls).toEqual([['/SetAAUserCourse', { AAUserID: 7, CourseID: 1 }]]);
    expect([readStored(), toasts]).toEqual([
      [wireLine({ checkflag: 1 })],
      ['success: Payroll Basics added to cart'],
    ]);
  });

  test('a refused product is not added, and the reason is shown', async () => {
    mockServer({ '/SetAAUserCourse': FAILED });
    await addToCart(COURSE, 1);
    expect([readStored(), toasts]).toEqual([null, ['error: You own this course already.']]);
  });

  test('a course in the cart is registered again, and removed when it is refused', async () => {
    writeStored('cart_products', [wireLine({ checkflag: 1 })]);
    const calls = mockServer({ '/SetAAUserCourse': FAILED });
    await addToCart(COURSE, 1);
    expect([calls.length, readStored()]).toEqual([1, null]);
  });

  test.each([
    ['no answer', undefined, 'The site could not be reached. Check your connection.'],
    ['429', 429, 'Status 429.'],
    ['503', 503, 'Status 503.'],
  ])('%s changes nothing and shows an error', async (_, answer, why) => {
    writeStored('cart_products', [wireLine({ checkflag: 1 })]);
    mockServer({ '/SetAAUserCourse': answer });
    await addToCart(COURSE, 1);
    await addToCart(ON_SALE, 1);
    expect(readStored()).toEqual([wireLine({ checkflag: 1 })]);
    expect(toasts).toEqual(Array(2).fill(`error: The cart was not changed. ${why}`));
  });

  test('clearing calls the server for each line; a line that could not be removed is restored', async () => {
    writeStored('cart_products', [
      wireLine({ checkflag: 1 }),
      wireLine({ ID: 2, Name: 'VAT Basics', checkflag: 1 }),
    ]);
    const calls = mockServer({ '/DelAAUserCourse': 503 });
    await removeLines(currentCart().lines);
    expect(calls.filter(([path]) => path === '/DelAAUserCourse').map(([, body]) => body)).toEqual([
      { AAUserID: 7, CourseID: 1 },
      { AAUserID: 7, CourseID: 2 },
    ]);
    expect(currentCart().lines.map(({ id }) => id)).toEqual([1, 2]);
    expect(toasts).toEqual([
      'error: Payroll Basics could not be removed. Status 503.',
      'error: VAT Basics could not be removed. Status 503.',
    ]);
  });

  test('a quantity the server does not take goes back', async () => {
    writeStored('cart_products', [wireLine({ ID: 9, orderQuantity: 2, checkflag: 1 })]);
    const refusal = { status: 'failed', message: 'Only 2 left.', cart: null };
    const calls = mockServer({ '/cart/lines/9': refusal });
    await changeQuantity(line(9), 3);
    expect([calls, line(9).quantity, toasts]).toEqual([
      [['/cart/lines/9', { quantity: 3 }]],
      2,
      ['error: Only 2 left.'],
    ]);
  });
});

describe('signed in, while answers are under way', () => {
  const BOOK_LINE = wireLine({ ID: 9, Name: 'The Calm Month End', orderQuantity: 2, checkflag: 1 });
  const cartWith = (quantity: number, version: number) =>
    serverCart({ lines: [quotedLine({ id: 9, quantity })], version });
  const quantities = () => currentCart().lines.map(({ id, quantity }) => [id, quantity]);

  beforeEach(() => {
    signIn(7);
    writeStored('cart_products', [BOOK_LINE]);
  });

  test('a refetch that began before a removal does not bring the line back', async () => {
    const calls = holdServer();
    void refetchQuote();
    void removeLines(currentCart().lines);
    await calls[0]?.answer(cartWith(2, 1));
    expect([calls.map(({ path }) => path), quantities()]).toEqual([['/cart', '/DelAAUserCourse'], []]);
    await calls[1]?.answer(SUCCESS, 200, 2);
    expect([quantities(), readStored()]).toEqual([[], null]);
  });

  test('a refetch that began before a press does not flip the quantity', async () => {
    const calls = holdServer();
    void refetchQuote();
    void changeQuantity(line(9), 5);
    await calls[0]?.answer(cartWith(2, 1));
    expect(quantities()).toEqual([[9, 5]]);
  });

  test('a press that fails takes back itself and not the newer press', async () => {
    const calls = holdServer();
    void changeQuantity(line(9), 3);
    void changeQuantity(line(9), 4);
    await calls[0]?.answer({ title: 'No' }, 503);
    expect([quantities(), toasts]).toEqual([[[9, 4]], ['error: The cart was not changed. No']]);
    await calls[1]?.answer({ status: 'success', message: '', cart: cartWith(4, 2) });
    expect([quantities(), calls.map(({ path }) => path)]).toEqual([
      [[9, 4]],
      ['/cart/lines/9', '/cart/lines/9', '/cart'],
    ]);
  });

  test('of many presses the first and the last are sent', async () => {
    const calls = holdServer();
    for (let count = 3; count <= 20; count += 1) void changeQuantity(line(9), count);
    await calls[0]?.answer({ status: 'success', message: '', cart: cartWith(3, 1) });
    expect([quantities(), calls.map(({ body }) => body)]).toEqual([
      [[9, 20]],
      [{ quantity: 3 }, { quantity: 20 }],
    ]);
  });

  test('each press on "Add to cart" counts', async () => {
    writeStored('cart_products', []);
    const calls = holdServer();
    for (let press = 0; press < 2; press += 1) void addToCart(BOOK, 1);
    await calls[0]?.answer(SUCCESS, 200, 1);
    await calls[1]?.answer(SUCCESS, 200, 2);
    expect(calls.at(-1)?.body).toEqual({ quantity: 2 });
  });

  test('after a change by another device the cart is fetched before the change counts as done', async () => {
    window.localStorage.cart_version = '7 1';
    const calls = holdServer();
    void removeLines(currentCart().lines);
    await calls[0]?.answer(SUCCESS, 200, 3);
    await calls[1]?.answer(serverCart({ lines: [quotedLine()], version: 3 }));
    expect([calls.map(({ path }) => path), quantities()]).toEqual([['/DelAAUserCourse', '/cart'], [[1, 1]]]);
  });

  test('lines that wait to be merged are merged before they are changed, and none is lost', async () => {
    writeStored('cart_products', [wireLine()]);
    const calls = holdServer();
    void refetchQuote();
    await calls[0]?.answer(serverCart());
    expect(quantities()).toEqual([[1, 1]]);
    void changeQuantity(line(1), 4);
    expect(calls[1]?.body).toEqual({ lines: [{ id: 1, quantity: 1 }] });
    const merged = serverCart({ lines: [quotedLine()], version: 1 });
    await calls[1]?.answer({ lines: [{ id: 1, outcome: 'added', message: '' }], cart: merged });
    expect([calls[2]?.path, quantities()]).toEqual(['/cart/lines/1', [[1, 4]]]);
  });

  describe('and the session ends', () => {
    const endSession = () => {
      setCookie('userInfo=; max-age=0');
      refreshAuth();
    };

    test('changes under way are dropped, and what the server said last is shown', async () => {
      const calls = holdServer();
      void changeQuantity(line(9), 5);
      endSession();
      await calls[0]?.answer({ status: 'success', message: '', cart: cartWith(5, 2) });
      expect([quantities(), toasts]).toEqual([[[9, 2]], []]);
    });

    test('a 401 ends the sign-in of this browser', async () => {
      const calls = holdServer();
      void changeQuantity(line(9), 5);
      await calls[0]?.answer({ title: 'No', detail: 'Sign in.' }, 401);
      expect([refreshAuth().learner, toasts]).toEqual([null, ['error: The cart was not changed. Sign in.']]);
    });

    test.each([
      ['added again', () => addToCart(BOOK, 1)],
      ['restored', () => undoRemove([{ line: line(9), place: 0 }])],
    ])('a line that is %s as a guest waits for the next merge', async (_, change) => {
      endSession();
      await change();
      expect(currentCart().lines.map(({ status }) => status)).toEqual(['local']);
    });

    test('a line that is saved for later as a guest waits for the next merge', async () => {
      endSession();
      await saveForLater(line(9));
      expect(currentCart().saved.map(({ status }) => status)).toEqual(['local']);
    });
  });
});
