import {
  BOOK,
  COURSE,
  forgetEverything,
  keep,
  kept,
  ON_SALE,
  quietToasts,
  said,
  serverThatSays,
  signIn,
  wireLine,
} from './factories';

jest.doMock('../ui/toasts', quietToasts);
const { addToCart, changeQuantity, putBack, removeLines } =
  jest.requireActual<typeof import('./cartActions')>('./cartActions');
const { currentCart } = jest.requireActual<typeof import('./cartStore')>('./cartStore');

const SUCCESS = { Status: 'success', Message: '' };
const FAILED = { Status: 'failed', Message: 'You own this course already.' };
const line = (id: number) => {
  const found = currentCart().lines.find((one) => one.id === id);
  if (!found) throw new Error(`No line ${id}`);
  return found;
};

beforeEach(forgetEverything);

describe('signed out, without a call', () => {
  test('a course is added with quantity 1 and no discount', async () => {
    await addToCart(COURSE, 1);
    expect([kept(), said]).toEqual([[wireLine()], ['success: Payroll Basics added to cart']]);
  });

  test('a sale price is its discount price', async () => {
    await addToCart(ON_SALE, 1);
    expect(kept()).toEqual([wireLine({ ID: 2, Name: 'VAT Basics', DiscountPrice: 80.5 })]);
  });

  test('a course that is there stays as it is; a shop item grows by the counter', async () => {
    for (const product of [COURSE, COURSE, BOOK, BOOK]) await addToCart(product, 3);
    expect(currentCart().lines.map(({ id, quantity }) => [id, quantity])).toEqual([
      [1, 1],
      [9, 6],
    ]);
    expect(said).toHaveLength(4);
  });

  test('counting down says so, counting up does not', async () => {
    await addToCart(BOOK, 2);
    said.length = 0;
    await changeQuantity(line(9), 3);
    await changeQuantity(line(9), 2);
    expect([line(9).quantity, said]).toEqual([2, ['info: Decrement Quantity For The Calm Month End']]);
  });

  test('a line is removed at once, and comes back where it stood', async () => {
    for (const product of [COURSE, ON_SALE, BOOK]) await addToCart(product, 1);
    const removed = { line: line(2), place: 1 };
    said.length = 0;
    await removeLines([removed.line]);
    expect([currentCart().lines.map(({ id }) => id), said]).toEqual([
      [1, 9],
      ['error: VAT Basics remove to cart'],
    ]);
    await putBack([removed]);
    expect(currentCart().lines.map(({ id }) => id)).toEqual([1, 2, 9]);
  });
});

describe('signed in', () => {
  beforeEach(() => signIn(7));

  test('success adds the line as registered', async () => {
    const asked = serverThatSays({ '/SetAAUserCourse': SUCCESS });
    await addToCart(COURSE, 1);
    expect(asked).toEqual([['/SetAAUserCourse', { AAUserID: 7, CourseID: 1 }]]);
    expect([kept(), said]).toEqual([[wireLine({ checkflag: 1 })], ['success: Payroll Basics added to cart']]);
  });

  test('a refusal leaves it out and says why', async () => {
    serverThatSays({ '/SetAAUserCourse': FAILED });
    await addToCart(COURSE, 1);
    expect([kept(), said]).toEqual([null, ['error: You own this course already.']]);
  });

  test('a course that is there is asked for again, and leaves when it is refused', async () => {
    keep('cart_products', [wireLine({ checkflag: 1 })]);
    const asked = serverThatSays({ '/SetAAUserCourse': FAILED });
    await addToCart(COURSE, 1);
    expect([asked.length, kept()]).toEqual([1, null]);
  });

  test.each([
    ['no answer', undefined, 'The site could not be reached. Check your connection.'],
    ['429', 429, 'Status 429.'],
    ['503', 503, 'Status 503.'],
  ])('%s changes nothing and says so', async (_, answer, why) => {
    keep('cart_products', [wireLine({ checkflag: 1 })]);
    serverThatSays({ '/SetAAUserCourse': answer });
    await addToCart(COURSE, 1);
    await addToCart(ON_SALE, 1);
    expect(kept()).toEqual([wireLine({ checkflag: 1 })]);
    expect(said).toEqual(Array(2).fill(`error: The cart was not changed. ${why}`));
  });

  test('clearing asks for each line; what could not be removed comes back', async () => {
    keep('cart_products', [
      wireLine({ checkflag: 1 }),
      wireLine({ ID: 2, Name: 'VAT Basics', checkflag: 1 }),
    ]);
    const asked = serverThatSays({ '/DelAAUserCourse': 503 });
    await removeLines(currentCart().lines);
    expect(asked.map(([, body]) => body)).toEqual([
      { AAUserID: 7, CourseID: 1 },
      { AAUserID: 7, CourseID: 2 },
    ]);
    expect(currentCart().lines.map(({ id }) => id)).toEqual([1, 2]);
    expect(said.slice(2)).toEqual([
      'error: Payroll Basics could not be removed. Status 503.',
      'error: VAT Basics could not be removed. Status 503.',
    ]);
  });

  test('a quantity the server does not take goes back', async () => {
    keep('cart_products', [wireLine({ ID: 9, orderQuantity: 2, checkflag: 1 })]);
    const refusal = { status: 'failed', message: 'Only 2 left.', cart: null };
    const asked = serverThatSays({ '/cart/lines/9': refusal });
    await changeQuantity(line(9), 3);
    expect([asked, line(9).quantity, said]).toEqual([
      [['/cart/lines/9', { quantity: 3 }]],
      2,
      ['error: Only 2 left.'],
    ]);
  });
});
