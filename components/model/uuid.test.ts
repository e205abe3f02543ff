import { newTimedUuid, newUuid } from './uuid';

afterEach(() => {
  jest.useRealTimers();
});

const V4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

test('a random id is a UUID v4, also where randomUUID is missing', () => {
  expect(newUuid()).toMatch(V4);
  const { randomUUID } = crypto;
  Object.assign(crypto, { randomUUID: undefined });
  expect(newUuid()).toMatch(V4);
  Object.assign(crypto, { randomUUID });
});

test('a timed id is a UUID v7 that begins with the time in milliseconds', () => {
  jest.useFakeTimers({ now: 0x0190_1234_5678 });
  expect(newTimedUuid()).toMatch(V7);
  expect(newTimedUuid().slice(0, 14)).toBe('01901234-5678-');
  expect(new Set(Array.from({ length: 100 }, newTimedUuid)).size).toBe(100);
});

test('later ids sort behind earlier ones', () => {
  jest.useFakeTimers({ now: 999 });
  const earlier = newTimedUuid();
  jest.advanceTimersByTime(1);
  expect(newTimedUuid() > earlier).toBe(true);
});
