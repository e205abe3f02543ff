import { changesOf, unsentProgress } from './unsentProgress';

const ADA = 7;
const GRACE = 8;
const DAY = 86_400_000;

beforeEach(() => window.localStorage.clear());

test('changes of a lesson wait as one entry with the newest of each field', () => {
  unsentProgress.add(ADA, 1, { at: 5, position: 900 });
  unsentProgress.add(ADA, 1, { at: 9, position: 100 });
  unsentProgress.add(ADA, 1, { at: 7, done: true });
  const [entry] = unsentProgress.of(ADA, 10);
  expect(entry && changesOf(entry)).toEqual([
    { lesson: 1, at: 7, done: true },
    { lesson: 1, at: 9, position: 100 },
    { lesson: 1, at: 5, position: 900 },
  ]);
});

test('an older change loses, and at the same time done wins', () => {
  unsentProgress.add(ADA, 1, { at: 5, done: true });
  unsentProgress.add(ADA, 1, { at: 5, done: false });
  unsentProgress.add(ADA, 1, { at: 4, done: false });
  expect(unsentProgress.of(ADA, 10).flatMap(changesOf)).toEqual([{ lesson: 1, at: 5, done: true }]);
});

test('what was accepted is removed, what changed meanwhile stays', () => {
  unsentProgress.add(ADA, 1, { at: 5, done: true });
  unsentProgress.add(ADA, 2, { at: 5, done: true });
  const sent = unsentProgress.of(ADA, 10);
  unsentProgress.add(ADA, 2, { at: 6, position: 10 });
  unsentProgress.accept(sent);
  expect(unsentProgress.of(ADA, 10).map(({ lesson }) => lesson)).toEqual([2]);
});

test('entries of another learner are never given out, and go after 30 days', () => {
  unsentProgress.add(GRACE, 1, { at: DAY, done: true });
  expect(unsentProgress.of(ADA, 31 * DAY)).toEqual([]);
  expect(unsentProgress.of(GRACE, 31 * DAY)).toHaveLength(1);
  unsentProgress.of(ADA, 32 * DAY);
  expect(unsentProgress.of(GRACE, 32 * DAY)).toEqual([]);
});

test('an entry that cannot be read is removed', () => {
  window.localStorage.setItem('unsent_progress.7.1', '{');
  expect(unsentProgress.of(ADA, 10)).toEqual([]);
  expect(window.localStorage).toHaveLength(0);
});

test('where storage is refused progress waits in memory', () => {
  const refused = jest.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new Error('refused');
  });
  unsentProgress.add(ADA, 3, { at: 5, done: true });
  refused.mockRestore();
  const sent = unsentProgress.of(ADA, 10);
  expect(sent.map(({ lesson }) => lesson)).toEqual([3]);
  unsentProgress.accept(sent);
  expect(unsentProgress.of(ADA, 10)).toEqual([]);
});

test('what no longer fits into storage does not give way to what is older', () => {
  unsentProgress.add(ADA, 3, { at: 5, done: true });
  const full = jest.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new Error('full');
  });
  unsentProgress.add(ADA, 3, { at: 6, done: false });
  full.mockRestore();
  expect(unsentProgress.of(ADA, 10).flatMap(changesOf)).toEqual([{ lesson: 3, at: 6, done: false }]);
  unsentProgress.accept(unsentProgress.of(ADA, 10));
  expect(unsentProgress.of(ADA, 10)).toEqual([]);
});
