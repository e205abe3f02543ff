import { BOOKS, DIGITAL_COPY, refundForm, refundLine } from '../../fixtures/orders/refunds';
import { previewRefund } from './refundAmounts';

const NOT_SENT = { ...BOOKS, isShipped: false, confirmation: null };

test.each([
  ['nothing', {}, 0, 0],
  ['a course', { 1: 1 }, 4000, 0],
  ['one of three', { 2: 1 }, 333, 0],
  ['two of three', { 2: 2 }, 667, 0],
  ['the last of the goods with delivery', { 2: 3 }, 1500, 500],
  ['all', { 1: 1, 2: 3, 3: 1 }, 7400, 500],
  ['what cannot be refunded counts nothing', { 4: 1 }, 0, 0],
])('%s', (_name, chosen, amount, delivery) => {
  expect(previewRefund(refundForm(), chosen)).toMatchObject({ amount, delivery });
});

test('delivery stays while other goods do', () => {
  expect(previewRefund(refundForm({ otherGoods: 1 }), { 2: 3 })).toMatchObject({ amount: 1000, delivery: 0 });
});

test.each([
  ['a course', refundForm(), { 1: 1 }, false],
  ['goods that were sent', refundForm(), { 2: 1 }, true],
  ['goods that were not sent', refundForm({ lines: [refundLine(NOT_SENT)] }), { 2: 3 }, false],
  ['more than is approved at once', refundForm({ automatic: 3999 }), { 1: 1 }, true],
  ['exactly as much', refundForm({ automatic: 4000 }), { 1: 1 }, false],
  ['too many requests before', refundForm({ automatic: null }), { 1: 1 }, true],
])('whether a person decides: %s', (_name, form, chosen, isDecided) => {
  expect(previewRefund(form, chosen).isDecided).toBe(isDecided);
});

test('each confirmation is needed once', () => {
  const copies = [refundLine(DIGITAL_COPY), refundLine({ ...DIGITAL_COPY, number: 5 }), refundLine(BOOKS)];
  const form = refundForm({ lines: copies });
  expect(previewRefund(form, { 3: 1, 5: 1 }).confirmations).toEqual(['deleted']);
  expect(previewRefund(form, { 3: 1, 2: 1 }).confirmations).toEqual(['deleted', 'returned']);
});
