import { act, screen, within } from '@testing-library/react';
import { knownProgress } from '../browser/progress/knownProgress';
import type { AccessOverView, CourseView } from '../contracts/schema';
import { learningCourse, NO_CERTIFICATES, NOTE, sections } from '../fixtures/learning/learning';
import { renderLearning } from '../fixtures/learning/renderLearning';
import { SESSION } from '../fixtures/session';
import { AccessOver } from './course/AccessOver';
import { CoursePage } from './course/CoursePage';
import { NotOwned } from './course/NotOwned';
import { LearningView } from './page/LearningView';

beforeEach(() => knownProgress.clear());
const show = (course = learningCourse()) =>
  renderLearning(<CoursePage course={course} search={null} certificates={NO_CERTIFICATES} />);
const lessons = () =>
  within(screen.getByRole('region', { name: 'Outline' }))
    .getAllByRole('link')
    .map(({ textContent }) => textContent?.replaceAll('\u00a0', ' '));

test('the outline says of each lesson what it is, whether it is done, and what comes next', async () => {
  await show();
  expect(lessons().slice(1, 5)).toEqual([
    'Your first SELECTVideo · 6 min in all',
    'Check: rows and columnsNext · Quiz · 5 min',
    'WHERE instead of a filterReading · 9 min',
    'The practice databaseFile · 12 min · Optional',
  ]);
  expect(screen.getByRole('link', { name: 'Continue' })).toHaveAttribute(
    'href',
    '/user-dashboard?course=sql-for-spreadsheet-people&lesson=3',
  );
});

test('in a completed course nothing comes next', async () => {
  await show(learningCourse({ state: 'completed', sections: sections(6) }));
  expect(lessons().filter((text) => text?.includes('Next'))).toEqual([]);
});

test('what completes the course stands there in words, with links to what is missing', async () => {
  await show();
  const part = within(screen.getByRole('region', { name: 'What completes it' }));
  expect(part.getByText('Finish all 5 required lessons and pass the quiz with 70 %.')).toBeVisible();
  expect(part.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    'Check: rows and columns',
    'WHERE instead of a filter',
    'Joins without tears',
  ]);
});

test('of a course that staff completed, their reason stands there', async () => {
  const about = { completedAt: '2026-09-01T09:00:00Z', completionReason: 'Exam taken on paper' };
  await show(learningCourse({ state: 'completed', ...about }));
  const part = within(screen.getByRole('region', { name: 'What completes it' }));
  expect(part.getByText('Our staff completed it for you: Exam taken on paper')).toBeVisible();
});

test('what this browser recorded counts before the host has answered; an optional lesson does not', async () => {
  await show();
  await act(async () => {
    knownProgress.add(4, { at: Date.now(), done: true });
    knownProgress.add(5, { at: Date.now(), done: true });
  });
  expect(screen.getByText(/^3 of 5 lessons done/)).toBeVisible();
  expect(screen.getByRole('progressbar')).toHaveAttribute('value', '60');
  expect(screen.getByRole('link', { name: /^Done: WHERE instead of a filter/ })).toBeVisible();
});

test('the host alone says that a course is completed', async () => {
  await show();
  await act(async () => {
    for (const id of [3, 4, 6]) knownProgress.add(id, { at: Date.now(), done: true });
  });
  expect(screen.getByText(/^5 of 5 lessons done/)).toBeVisible();
  expect(screen.getByRole('progressbar')).toHaveAttribute('value', '99');
});

test('a retired course, a changed rule and new lessons are explained', async () => {
  const successor = { name: 'SQL, Second Edition', href: '/course-details?course=sql-2' };
  const changed = sections().map((section) => ({
    ...section,
    lessons: section.lessons.map((lesson) => ({ ...lesson, isNew: lesson.id === 6 })),
  }));
  await show(
    learningCourse({ isRetired: true, successor, ruleChangedAt: '2026-09-01T00:00:00Z', sections: changed }),
  );
  expect(screen.getByText('No longer sold, yours to keep')).toBeVisible();
  expect(screen.getByRole('link', { name: 'SQL, Second Edition' })).toBeVisible();
  expect(screen.getByText('What completes this course changed on September 1, 2026')).toBeVisible();
  expect(
    screen.getByText(/^It counts as it is now: Finish .+\. What you have done stays done\.$/),
  ).toBeVisible();
  expect(lessons()[5]).toBe('Joins without tearsReading · 14 min · New since you finished');
});

test('whose access to a retired course ends is not told that it is theirs to keep', async () => {
  await show(learningCourse({ isRetired: true, accessUntil: '2026-12-31T00:00:00Z' }));
  expect(screen.getByText('No longer sold')).toBeVisible();
  expect(screen.getByText(/^Until your access ends, lessons, notes, progress/)).toBeVisible();
  expect(screen.queryByText(/yours to keep/)).toBeNull();
});

test('a course that was withdrawn soon after it was bought leads to its refund', async () => {
  const refund = { name: 'BADECUFIGOHAKELIMONU', href: '/order/BADECUFIGOHAKELIMONU' };
  const course = learningCourse({ isRetired: true });
  await renderLearning(
    <CoursePage course={course} search={null} certificates={NO_CERTIFICATES} refund={refund} />,
  );
  expect(screen.getByText(/you may still ask for your money back/)).toBeVisible();
  expect(screen.getByRole('link', { name: 'order BADECUFIGOHAKELIMONU' })).toHaveAttribute(
    'href',
    refund.href,
  );
});

test('a course that is closed says when, why, and where to ask for the money back', async () => {
  const view: CourseView = {
    view: 'course',
    course: learningCourse({ isRetired: true }),
    search: null,
    review: null,
    certificates: NO_CERTIFICATES,
    refund: { name: 'BADECUFIGOHAKELIMONU', href: '/order/BADECUFIGOHAKELIMONU' },
    closure: { endsAt: '2026-12-24T12:00:00Z', reason: 'A court has ruled.' },
  };
  await renderLearning(<LearningView view={view} session={SESSION} />);
  expect(screen.getByText('This course ends on December 24, 2026')).toBeVisible();
  expect(screen.getByText(/for legal reasons: A court has ruled\./)).toBeVisible();
  expect(screen.getByText(/^You may ask for your money back/)).toBeVisible();
  expect(screen.queryByText('No longer sold, yours to keep')).not.toBeInTheDocument();
});

test('a search shows the lessons with the sentence, or that there are none', async () => {
  const lesson = learningCourse().resume;
  if (!lesson) throw new Error('The course of the fixture has lessons');
  const hits = [{ lesson, sentence: 'A row is one order.' }];
  await renderLearning(
    <CoursePage
      course={learningCourse()}
      search={{ query: 'row', hits, hasMore: false }}
      certificates={NO_CERTIFICATES}
    />,
  );
  expect(await screen.findByRole('heading', { name: '1 lesson with “row”' })).toBeVisible();
  expect(screen.getByText('A row is one order.')).toBeVisible();
  expect(screen.getByRole('searchbox')).toHaveValue('row');
});

test('a course of others says what it is and where to get it', async () => {
  const { id, slug, name, href, learnHref, picture } = learningCourse();
  const course = { id, slug, name, href, learnHref, picture };
  await renderLearning(
    <NotOwned view={{ view: 'not-owned', course, subtitle: 'Ask data.', isSold: true }} />,
  );
  expect(screen.getByRole('link', { name: 'See the course' })).toHaveAttribute('href', href);
});

const OVER: AccessOverView = {
  view: 'access-over',
  course: learningCourse({ state: 'ended' }),
  reason: 'Your order was refunded.',
  endedAt: '2026-09-01T10:00:00Z',
  readableUntil: '2026-10-01T10:00:00Z',
  isReadable: true,
  back: { name: 'Buy it again', href: '/course-details?course=x' },
  scores: [{ lesson: 3, title: 'Check: rows and columns', percent: 85, isPassed: true, attempts: 2 }],
  notes: [
    {
      ...NOTE,
      body: 'A table has no gaps.',
      course: { name: 'SQL', href: '/user-dashboard?course=sql' },
      link: { name: 'WHERE instead of a filter', href: '/user-dashboard?course=sql&lesson=4' },
    },
  ],
  certificates: NO_CERTIFICATES,
};

test('when access is over, why is said, and notes and results are there until their last day', async () => {
  await renderLearning(<AccessOver view={OVER} />);
  expect(screen.getByText('Your access ended on September 1, 2026')).toBeVisible();
  expect(screen.getByText(/can be read until October 1, 2026/)).toBeVisible();
  expect(screen.getByRole('region', { name: 'Your results' })).toHaveTextContent(
    'Check: rows and columns85%, passedBest of 2 attempts',
  );
  expect(screen.getByRole('region', { name: 'Your notes' })).toHaveTextContent('A table has no gaps.');
  // Nothing leads to a lesson.
  expect(screen.queryByRole('link', { name: 'WHERE instead of a filter' })).toBeNull();
  expect(screen.queryByRole('link', { name: 'Continue' })).toBeNull();
});

test('after their last day notes and results are gone', async () => {
  await renderLearning(<AccessOver view={{ ...OVER, isReadable: false, notes: [], scores: [] }} />);
  expect(screen.getByText('Your notes and results could be read until October 1, 2026.')).toBeVisible();
  expect(screen.queryByRole('region', { name: 'Your notes' })).toBeNull();
});
