import {
  BOOK,
  COURSE,
  mockServer,
  mockToasts,
  ON_SALE,
  readStored,
  resetBrowser,
  signIn,
  toasts,
  wireLine,
  writeStored,
} from '../../fixtures/cartServer';

jest.doMock('../../ui/toasts/toasts', mockToasts);
const { addToCart, changeQuantity, undoRemove, removeLines } =
  jest.requireActual<typeof import('./cartActions')>('./cartActions');
const { currentCart } = jest.requireActual<typeof import('./cartStore')>('./cartStore');

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
    expect(calls.map(([, body]) => body)).toEqual([
      { AAUserID: 7, CourseID: 1 },
      { AAUserID: 7, CourseID: 2 },
    ]);
    expect(currentCart().lines.map(({ id }) => id)).toEqual([1, 2]);
    expect(toasts.slice(2)).toEqual([
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
