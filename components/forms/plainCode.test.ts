import { cases } from '../../contracts/cases/codes.json';
import { plainCode } from './plainCode';

test.each(cases)('a code: $name', ({ text, plain }) => {
  expect(plainCode(text)).toBe(plain);
});
