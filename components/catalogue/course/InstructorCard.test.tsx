import { render, screen } from '@testing-library/react';
import { course } from '../../fixtures/catalogue';
import { InstructorCard, initialsOf } from './InstructorCard';

test.each([
  ['Bo Sand', 'BS'],
  ['Inês de Carvalho', 'IC'],
  ['Prince', 'P'],
  ['𠮷田 花', '𠮷花'],
  ['', ''],
])('the initials of "%s" are "%s"', (name, initials) => {
  expect(initialsOf(name)).toBe(initials);
});

test.each([
  ['/instructors/bo', ['/instructors/bo']],
  [null, []],
])('the name leads to the page of the instructor where there is one: %s', (href, expected) => {
  const [bo] = course().instructors;
  if (bo) render(<InstructorCard instructor={{ ...bo, href }} />);
  expect(screen.getByRole('heading', { name: 'Bo Sand' })).toBeVisible();
  expect(screen.queryAllByRole('link').map((link) => link.getAttribute('href'))).toEqual(expected);
});
