/** @jest-environment node */
import { readLine, writeLine } from './storedLine';

const WIRE = {
  ID: 7,
  Name: 'VAT Basics',
  Price: 100,
  DiscountPrice: 64,
  orderQuantity: 2,
  orderDiscount: 16,
  orderDiscountCode: 'SPRING20',
  checkflag: 1,
};
const LINE = {
  id: 7,
  name: 'VAT Basics',
  price: 10000,
  discountPrice: 6400,
  quantity: 2,
  discount: 1600,
  discountCode: 'SPRING20',
  status: 'registered',
};

test('a line is read and written in the specification’s fields', () => {
  expect(readLine(WIRE)).toEqual(LINE);
  expect(writeLine(LINE as Parameters<typeof writeLine>[0])).toEqual(WIRE);
});

test('-1 and "" are none, 0 is a price', () => {
  const bare = { ...WIRE, DiscountPrice: -1, orderDiscount: -1, orderDiscountCode: '' };
  expect(readLine(bare)).toMatchObject({ discountPrice: null, discount: null, discountCode: null });
  expect(readLine({ ...WIRE, DiscountPrice: 0 })?.discountPrice).toBe(0);
});

test('what an older cart does not have gets its default', () => {
  expect(readLine({ ID: '7', Name: ' VAT Basics ', Price: '99.90' })).toEqual({
    id: 7,
    name: 'VAT Basics',
    price: 9990,
    discountPrice: null,
    quantity: 1,
    discount: null,
    discountCode: null,
    status: 'local',
  });
});

test.each([
  ['null', null],
  ['a number', 7],
  ['no id', { ...WIRE, ID: undefined }],
  ['an id below 1', { ...WIRE, ID: 0 }],
  ['an id that no number holds', { ...WIRE, ID: 2 ** 53 }],
  ['an id with more than digits', { ...WIRE, ID: '7 or 1=1' }],
  ['no name', { ...WIRE, Name: '' }],
  ['a name that is no text', { ...WIRE, Name: { text: 'x' } }],
  ['a price below 0', { ...WIRE, Price: -1 }],
  ['an endless price', { ...WIRE, Price: Number.POSITIVE_INFINITY }],
  ['a price that is no number', { ...WIRE, Price: 'free' }],
])('%s is no line', (_, value) => {
  expect(readLine(value)).toBeNull();
});

test.each([
  [0, 1],
  [-3, 1],
  [2.5, 1],
  ['4', 4],
  [100, 99],
  [null, 1],
])('a quantity of %p counts as %d', (overrides, quantity) => {
  expect(readLine({ ...WIRE, orderQuantity: overrides })?.quantity).toBe(quantity);
});

test.each([
  [0, 'local'],
  [1, 'registered'],
  [2, 'refused'],
  [3, 'local'],
  ['x', 'local'],
])('checkflag %p is %s', (flag, status) => {
  expect(readLine({ ...WIRE, checkflag: flag })?.status).toBe(status);
});

test('a name is cut, and holds no control characters', () => {
  expect(readLine({ ...WIRE, Name: `a\u0000\nb${'c'.repeat(400)}` })?.name).toBe(`a b${'c'.repeat(297)}`);
});
