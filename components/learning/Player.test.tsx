import { act, fireEvent, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { knownProgress } from '../browser/progress/knownProgress';
import { unsentProgress } from '../browser/progress/unsentProgress';
import { saveSession } from '../browser/session/session';
import { type HeldCall, holdServer, resetBrowser, signIn } from '../fixtures/cartServer';
import { learningCourse, learningLesson, NOTE, STATE, VIDEO } from '../fixtures/learning/learning';
import { renderLearning } from '../fixtures/learning/renderLearning';
import { SESSION } from '../fixtures/session';
import { Player } from './player/Player';

let calls: HeldCall[] = [];

beforeEach(() => {
  resetBrowser();
  knownProgress.clear();
  signIn(7);
  saveSession(SESSION, 't');
  calls = holdServer();
});

// The document follows links itself, which jsdom cannot.
const stay = (event: Event) => event.preventDefault();
beforeAll(() => document.addEventListener('click', stay));
afterAll(() => document.removeEventListener('click', stay));

afterEach(async () => {
  for (const call of calls) await call.answer({ lessons: [], courses: [] });
});

const show = (lesson = learningLesson(), course = learningCourse()) =>
  renderLearning(
    <Player view={{ view: 'lesson', course, lesson, quiz: null, note: NOTE }} session={SESSION} />,
  );
const kept = (lesson: number) => unsentProgress.of(7, Date.now()).find((entry) => entry.lesson === lesson);
const press = (name: RegExp | string) => act(async () => userEvent.click(screen.getByText(name)));

test('opening a lesson records where it goes on, and nothing else', async () => {
  await show(learningLesson(4, { state: { ...STATE, position: 300, positionAt: 5, furthest: 300 } }));
  expect(kept(4)?.position?.value).toBe(300);
  expect(kept(4)?.done).toBeUndefined();
  expect(screen.getByRole('button', { name: 'Go to where you stopped, 30% through' })).toBeVisible();
});

test('“Done, next” marks the lesson as done and leads to the next', async () => {
  await show();
  const next = screen.getByRole('link', { name: /^Done, next.*The practice database$/ });
  expect(next).toHaveAttribute('href', '/user-dashboard?course=sql-for-spreadsheet-people&lesson=5');
  fireEvent.click(next);
  expect(kept(4)?.done?.value).toBe(true);
});

test('a lesson can be marked as done and not done; outline and progress follow', async () => {
  await show();
  await press('Mark as done');
  const outline = within(document.getElementById('course-outline') as HTMLElement);
  expect(outline.getByRole('link', { current: 'page', hidden: true })).toHaveAccessibleName(
    /^Done: WHERE instead of a filter/,
  );
  expect(screen.getByText('3 of 5 lessons done')).toBeVisible();
  await press('Mark as not done');
  expect([kept(4)?.done?.value, screen.getByText('2 of 5 lessons done')]).toEqual([false, expect.anything()]);
});

test('a quiz is not done by pressing', async () => {
  await show(learningLesson(3, { body: { kind: 'quiz', html: '', questionCount: 3 } }));
  fireEvent.click(screen.getByRole('link', { name: /^Next.*WHERE instead of a filter$/ }));
  expect(kept(3)?.done).toBeUndefined();
});

test('saving is said politely; a call that fails says that the work is kept', async () => {
  await show();
  await act(async () => calls[0]?.answer({ lessons: [], courses: [] }));
  expect(screen.getByText('Saved').closest('[role="status"]')).not.toBeNull();
  await press('Mark as done');
  await act(async () => calls.at(-1)?.answer({ title: 'No' }, 503));
  expect(screen.getByText('Kept here, saved when the site answers again')).toBeVisible();
  expect(kept(4)?.done?.value).toBe(true);
});

test('after the sign-in the lesson stays, what is pressed is kept, and the button says how to save it', async () => {
  await show();
  await act(async () => calls[0]?.answer({ title: 'No' }, 401));
  const link = screen.getByRole('link', { name: 'Sign in to save' });
  expect(link.getAttribute('href')).toMatch(/^\/api\/auth\/start\?returnTo=/);
  fireEvent.click(link);
  expect(kept(4)?.done?.value).toBe(true);
  expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent('WHERE instead of a filter');
});

test('after the last lesson stands what is missing, and finishing it leads to the end of the course', async () => {
  await show(learningLesson(6));
  expect(await screen.findByText('This was the last lesson. What is still missing:')).toBeVisible();
  const finish = screen.getByRole('link', { name: 'Done, finish the course' });
  expect(finish).toHaveAttribute('href', '/user-dashboard?course=sql-for-spreadsheet-people&lesson=end');
  await act(async () => {
    fireEvent.click(finish);
  });
  expect(kept(6)?.done?.value).toBe(true);
});

function Completing() {
  const [course, setCourse] = useState(learningCourse());
  const status = { ...course.status, done: 5, percent: 100, isComplete: true, missing: [] };
  return (
    <>
      <button type="button" onClick={() => setCourse({ ...course, status })}>
        The host answers
      </button>
      <Player
        view={{ view: 'lesson', course, lesson: learningLesson(), quiz: null, note: NOTE }}
        session={SESSION}
      />
    </>
  );
}

test('that the course was completed is read out, in an element that was there before', async () => {
  await renderLearning(<Completing />);
  const there = screen.getAllByRole('status');
  await act(async () => {
    fireEvent.click(screen.getByText('The host answers'));
  });
  expect(there.map(({ textContent }) => textContent)).toContain('You have completed this course.');
  expect(await screen.findByRole('link', { name: /what comes next$/ })).toBeVisible();
});

test('a lesson that cannot be shown has a number to quote', async () => {
  await show(learningLesson(4, { body: { kind: 'missing', reference: 'L-4-7Q' } }));
  expect(screen.getByText('L-4-7Q')).toBeVisible();
});

test('a file is a download, which does not make the lesson done', async () => {
  const body = {
    kind: 'file' as const,
    html: '<p>Take it.</p>',
    name: 'practice.db',
    href: '/learning/files/1/practice.db',
    bytes: 21_000,
    mediaType: 'application/x-sqlite3',
  };
  await show(learningLesson(5, { body }));
  const link = screen.getByRole('link', { name: /practice\.db.*21 KB/ });
  expect(link).toHaveAttribute('download', 'practice.db');
  expect(kept(5)?.done).toBeUndefined();
});

test('sentences of the transcript play the video from there', async () => {
  const play = jest.spyOn(HTMLMediaElement.prototype, 'play').mockResolvedValue();
  await show(learningLesson(2, { body: VIDEO }));
  const cue = await screen.findByRole('button', { name: /SELECT names the columns/ });
  await act(async () => userEvent.click(cue));
  expect([document.querySelector('video')?.currentTime, play.mock.calls.length]).toEqual([4, 1]);
});

test.each([
  ['its own picture', '/files/poster.webp', '/files/poster.webp'],
  ['that of the course', null, learningCourse().picture.src],
])('a video of another site shows %s, and loads when it is asked for', async (_name, poster, src) => {
  const embed = {
    provider: 'Vimeo',
    url: 'https://player.vimeo.com/video/1',
    title: 'Joins',
    isAllowed: true,
  };
  await show(learningLesson(2, { body: { ...VIDEO, sources: [], poster, embed } }));
  await screen.findByRole('button', { name: 'Load from Vimeo' });
  expect(document.querySelector('.video__frame img')?.getAttribute('src')).toBe(src);
  expect(document.querySelector('iframe')).toBeNull();
  await act(async () => userEvent.click(await screen.findByRole('button', { name: 'Load from Vimeo' })));
  expect(document.querySelector('iframe')?.src).toBe(embed.url);
});

const EMBED = { provider: 'Vimeo', url: 'https://player.vimeo.com/video/1', title: 'Joins', isAllowed: true };

test.each([
  ['a video of another site', { ...VIDEO, sources: [], embed: EMBED }],
  ['a lesson that cannot be shown', { kind: 'missing' as const, reference: 'L-4-7Q' }],
])('the next lesson is fetched ahead after %s, and nothing is recorded of it', async (_name, body) => {
  await show(learningLesson(4, { body }));
  await screen.findByText(/Watch at|Load from|cannot be shown/);
  const ahead = '/data/user-dashboard?course=sql-for-spreadsheet-people&lesson=5';
  expect(calls.filter(({ path }) => path === ahead)).toHaveLength(1);
  expect(kept(5)).toBeUndefined();
  expect(unsentProgress.of(7, Date.now()).map((entry) => entry.lesson)).toEqual([4]);
});
