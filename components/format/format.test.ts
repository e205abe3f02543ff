/** @jest-environment node */
import agreements from '../../contracts/cases/format.json';
import { shopFormat } from '../fixtures/shopFormat';
import { fileSize } from './fileSize';
import { barClass, formatOf, saving } from './format';

const english = formatOf(shopFormat('en-US', 'USD'));

describe('money', () => {
  test.each(agreements.money)('$name', ({ locale, currency, minor, text }) => {
    expect(formatOf(shopFormat(locale, currency)).money(minor)).toBe(text);
  });
});

describe('price', () => {
  test.each(agreements.price)('$name', ({ locale, currency, minor, text }) => {
    expect(formatOf(shopFormat(locale, currency)).price(minor)).toBe(text);
  });
});

describe('percent', () => {
  test.each(agreements.percent)('$name', ({ locale, percent, text }) => {
    expect(formatOf(shopFormat(locale, 'USD')).percent(percent)).toBe(text);
  });
});

describe('date', () => {
  test.each(agreements.date)('$name', ({ locale, iso, text }) => {
    expect(formatOf(shopFormat(locale, 'USD')).date(iso)).toBe(text);
  });
});

describe('duration', () => {
  test.each(agreements.duration)('$name', ({ minutes, text }) => {
    expect(english.duration(minutes)).toBe(text);
  });
});

describe('size', () => {
  test.each(agreements.size)('$name', ({ bytes, text }) => {
    expect(fileSize(bytes, english)).toBe(text);
  });
});

describe('saving', () => {
  test.each(agreements.saving)('$name', ({ list, price, percent }) => {
    expect(saving(list, price)).toBe(percent);
  });
});

test('a date is formatted in UTC, in any time zone', () => {
  expect(english.date('2026-03-04T23:30:00Z')).toBe('March 4, 2026');
});

test('a shop gets the same formatters every time', () => {
  expect(formatOf(shopFormat('en-US', 'USD'))).toBe(english);
});

test('a share becomes the class of the nearest twentieth', () => {
  expect([0, 0.024, 0.026, 0.92, 1, 1.4, -1].map(barClass)).toEqual([
    'bar--0',
    'bar--0',
    'bar--5',
    'bar--90',
    'bar--100',
    'bar--100',
    'bar--0',
  ]);
});

test.each([
  ['a day', '2026-03-04'],
  ['a time in UTC', '2026-03-04T23:59:59Z'],
  ['a time in UTC with its offset', '2026-03-04T00:00:00.123456+00:00'],
])('of %s the day in UTC is written', (_name, iso) => {
  expect(formatOf(shopFormat('en-US', 'USD')).date(iso)).toBe('March 4, 2026');
});
