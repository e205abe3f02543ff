import { cases } from '../../contracts/cases/directions.json';
import { added } from '../cart/store/cartTexts';
import { isolated } from './isolated';

test.each(cases)('$name is put into a sentence', ({ text, isolated: expected }) => {
  expect(isolated(text)).toBe(expected);
});

test('a notice keeps the order of its words around a name', () => {
  expect(added('תכנה Python')).toBe('\u2068תכנה Python\u2069 added to cart');
});
