import { initialsOf } from './InstructorCard';

test.each([
  ['Bo Sand', 'BS'],
  ['Inês de Carvalho', 'IC'],
  ['Prince', 'P'],
  ['𠮷田 花', '𠮷花'],
  ['', ''],
])('the initials of "%s" are "%s"', (name, initials) => {
  expect(initialsOf(name)).toBe(initials);
});
