import { act, screen, within } from '@testing-library/react';
import { recordProgress } from '../api/learning/progress';
import { knownProgress } from '../browser/progress/knownProgress';
import { saveSession } from '../browser/session/session';
import type { CourseEndView } from '../contracts/schema';
import { type HeldCall, holdServer, resetBrowser, signIn } from '../fixtures/cartServer';
import { dashboard, learningCourse, NO_CERTIFICATES } from '../fixtures/learning/learning';
import { renderLearning } from '../fixtures/learning/renderLearning';
import { SESSION } from '../fixtures/session';
import { CourseEndPage } from './course/CourseEndPage';

let calls: HeldCall[] = [];

beforeEach(() => {
  resetBrowser();
  knownProgress.clear();
  signIn(7);
  saveSession(SESSION, 't');
  calls = holdServer();
});

function end(overrides: Partial<CourseEndView> = {}): CourseEndView {
  const course = learningCourse();
  return {
    view: 'course-end',
    course,
    review: null,
    certificates: NO_CERTIFICATES,
    recommended: dashboard().recommended,
    ...overrides,
  };
}

const COMPLETED = learningCourse({
  state: 'completed',
  completedAt: '2026-10-02T10:00:00Z',
  status: { done: 5, needed: 5, percent: 100, isComplete: true, missing: [] },
});

test('before a course is complete its end says what is missing, each linked', async () => {
  await renderLearning(<CourseEndPage view={end()} />);
  expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent('Almost there');
  expect(
    within(screen.getByRole('list'))
      .getAllByRole('link')
      .map((link) => link.getAttribute('href')),
  ).toEqual([3, 4, 6].map((id) => `/user-dashboard?course=sql-for-spreadsheet-people&lesson=${id}`));
});

test('a completed course ends with its certificate and what comes next', async () => {
  await renderLearning(<CourseEndPage view={end({ course: COMPLETED })} />);
  expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent(/^Well done/);
  expect(screen.getByText('You have completed SQL for Spreadsheet People.')).toBeVisible();
  expect(screen.getByText('6 lessons · completed on October 2, 2026')).toBeVisible();
  expect(screen.getByRole('region', { name: 'Your certificate' })).toBeVisible();
  expect(
    within(screen.getByRole('region', { name: 'What to learn next' })).getAllByRole('listitem'),
  ).toHaveLength(4);
});

test('while the last lesson is being saved the page waits, and loads again once the host has answered', async () => {
  const course = learningCourse({
    status: { done: 5, needed: 5, percent: 99, isComplete: false, missing: [] },
  });
  await renderLearning(<CourseEndPage view={end({ course })} />);
  expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent('One moment');
  await act(async () => recordProgress(7, 6, { done: true }));
  const completed = {
    course: course.id,
    done: 5,
    needed: 5,
    percent: 100,
    completedAt: '2026-10-02T10:00:00Z',
  };
  await act(async () => calls.at(-1)?.answer({ lessons: [], courses: [completed] }));
  expect(calls.at(-1)?.path).toMatch(/^\/data\//);
});
