import { readList, readText, writeList, writeText } from './storedList';

const KEY = 'list';
const read = (value: unknown) => {
  const { id } = (value ?? {}) as { id?: unknown };
  return typeof id === 'number' ? { id } : null;
};

beforeEach(() => window.localStorage.clear());

test('what was written is read again; an empty list leaves nothing behind', () => {
  writeList(KEY, [{ id: 1 }]);
  expect(readList(KEY, read)).toEqual({ entries: [{ id: 1 }], isDamaged: false });
  writeList(KEY, []);
  expect(window.localStorage.length).toBe(0);
  expect(readList(KEY, read)).toEqual({ entries: [], isDamaged: false });
});

test.each([
  ['nothing', 'null', [], false],
  ['an older form', '{"items": [{"id": 1}]}', [1], false],
  ['one id twice', '[{"id": 1}, {"id": 1}]', [1], false],
  ['one that cannot be read', '[{"id": 1}, 7]', [1], true],
  ['no JSON', '{', [], true],
  ['a number', '7', [], true],
  ['an object without a list', '{"id": 1}', [], true],
  ['more than any list of ours', `[${' '.repeat(200_000)}]`, [], true],
])('%s', (_, text, ids, isDamaged) => {
  window.localStorage.setItem(KEY, text);
  expect(readList(KEY, read)).toEqual({ entries: ids.map((id) => ({ id })), isDamaged });
});

test('of more than a hundred entries the first hundred stay', () => {
  writeList(
    KEY,
    Array.from({ length: 101 }, (_, index) => ({ id: index + 1 })),
  );
  const { entries, isDamaged } = readList(KEY, read);
  expect([entries.length, entries.at(-1), isDamaged]).toEqual([100, { id: 100 }, true]);
});

test('when storage is full, memory holds the list', () => {
  jest.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new DOMException('full', 'QuotaExceededError');
  });
  writeText(KEY, '[{"id": 5}]');
  expect([readText(KEY), readList(KEY, read).entries]).toEqual(['[{"id": 5}]', [{ id: 5 }]]);
  writeText(KEY, null);
  expect(readText(KEY)).toBeNull();
});
