import redaction from '../../contracts/cases/redaction.json';
import referrers from '../../contracts/cases/referrers.json';
import { outerReferrer, visitUrl } from './visitAddress';

const SHOP = 'https://shop.example';

test.each(redaction.both)('of an address, $name', ({ url, kept }) => {
  const at = url.indexOf('?');
  expect(visitUrl(at < 0 ? url : url.slice(0, at), at < 0 ? '' : url.slice(at))).toBe(kept);
});

test.each([...referrers.both, ...referrers.browser])('of a referrer, $name', ({ referrer, kept }) => {
  expect(outerReferrer(referrer, SHOP)).toBe(kept);
});

test.each(referrers.both)('a referrer that was cut stays as it is: $name', ({ kept }) => {
  expect(outerReferrer(kept, SHOP)).toBe(kept);
});
