import { cardLayout, needsLabel } from './cardLayout';

const columns = (...kinds: string[]) => kinds.map((kind, place) => ({ key: `${kind}-${place}`, kind }));

test.each([
  ['an amount', ['link', 'time', 'badge', 'count', 'money', 'money'], 'money-4'],
  ['a number', ['link', 'badge', 'count', 'progress'], 'count-2'],
  ['progress', ['text', 'badge', 'progress'], 'progress-2'],
  ['a state', ['money', 'text', 'badge'], 'badge-2'],
  ['nothing', ['count', 'text', 'time'], null],
])('at the end of the first line is %s', (_, kinds, main) => {
  expect(cardLayout(columns(...kinds)).main).toBe(main);
});

test('of several amounts it is the total', () => {
  const unit = { key: 'unit', kind: 'money' };
  const layout = cardLayout([...columns('text'), unit, { key: 'total', kind: 'money' }]);
  expect([layout.main, layout.clear.has('unit')]).toEqual(['total', false]);
});

test('one day, one name, the only amount and every state go without their labels', () => {
  const { clear } = cardLayout(columns('link', 'time', 'date', 'text', 'text', 'badge', 'badge', 'money'));
  expect([...clear].sort()).toEqual(['badge-5', 'badge-6', 'money-7', 'text-3', 'time-1']);
});

test.each([
  ['of two amounts', ['money', 'money']],
  ['of an amount among numbers', ['count', 'money']],
])('%s each has its label', (_, kinds) => {
  expect([...cardLayout(columns('link', ...kinds)).clear]).toEqual([]);
});

test.each([
  ['a name', 'Rosa Delgado', false],
  ['a number', '40', true],
  ['a version', '2026-000031', true],
  ['one word that answers a question', 'No', true],
  ['a number with words', '4 or more', true],
])('%s as a text needs its label: %s', (_, text, expected) => {
  const layout = cardLayout(columns('link', 'text'));
  expect(needsLabel({ kind: 'text', text }, 'text-1', layout)).toBe(expected);
  expect(needsLabel({ kind: 'text', text }, 'text-2', layout)).toBe(true);
});
