import { knownProgress } from '../../browser/progress/knownProgress';
import { unsentProgress } from '../../browser/progress/unsentProgress';
import { saveSession } from '../../browser/session/session';
import { holdServer, resetBrowser, signIn } from '../../fixtures/cartServer';
import { SESSION } from '../../fixtures/session';
import { currentAuth } from '../auth';
import {
  answeredCourses,
  forgetRefused,
  progressSaving,
  recordProgress,
  refusedProgress,
  retryRefused,
  sendProgress,
  showUnsentProgress,
} from './progress';

const ADA = 7;
const DONE = { isDone: true, doneAt: 1, position: 0, positionAt: null, furthest: 0 };
const answerOf = (...lessons: number[]) => ({
  lessons: lessons.map((lesson) => ({ lesson, ...DONE })),
  courses: [],
  refused: [] as number[],
});
const lessonsIn = (body: unknown) =>
  (body as { changes: { lesson: number }[] }).changes.map(({ lesson }) => lesson);
const waiting = () => unsentProgress.of(ADA, Date.now()).map(({ lesson }) => lesson);

beforeEach(() => {
  resetBrowser();
  knownProgress.clear();
  signIn(ADA);
  jest.useRealTimers();
});

test('a change is kept until the host has accepted it, and is shown at once', async () => {
  const calls = holdServer();
  recordProgress(ADA, 3, { done: true });
  expect([waiting(), knownProgress.get().get(3)?.state.done]).toEqual([[3], true]);
  expect([calls[0]?.path, calls[0]?.body]).toEqual([
    '/learning/progress',
    { learnerId: ADA, changes: [{ lesson: 3, done: true, at: expect.any(Number) }] },
  ]);
  await calls[0]?.answer(answerOf(3));
  expect([waiting(), progressSaving.get()]).toEqual([[], 'saved']);
});

test('what happens during a call is sent after it, in one more call', async () => {
  const calls = holdServer();
  recordProgress(ADA, 3, { done: true });
  recordProgress(ADA, 4, { done: true });
  recordProgress(ADA, 5, { done: true });
  expect(calls).toHaveLength(1);
  await calls[0]?.answer(answerOf(3));
  expect(calls.map(({ body }) => lessonsIn(body))).toEqual([[3], [4, 5]]);
  await calls[1]?.answer(answerOf(4, 5));
  expect(waiting()).toEqual([]);
});

test('an older answer does not take a newer change off the screen', async () => {
  const calls = holdServer();
  recordProgress(ADA, 3, { done: true });
  await new Promise((resolve) => setTimeout(resolve, 5));
  recordProgress(ADA, 3, { done: false });
  await calls[0]?.answer({ ...answerOf(3), lessons: [{ lesson: 3, ...DONE, doneAt: Date.now() - 3 }] });
  expect(knownProgress.get().get(3)?.state.done).toBe(false);
  await calls[1]?.answer({ ...answerOf(3), lessons: [{ lesson: 3, ...DONE, isDone: false }] });
});

test.each([0, 429, 503])('after %s everything stays and is sent again', async (status) => {
  jest.useFakeTimers({ doNotFake: ['performance'] });
  const calls: string[] = [];
  globalThis.fetch = (async (_: string, { body }: RequestInit) => {
    calls.push(String(body));
    if (status === 0) throw new TypeError('Failed to fetch');
    return new Response('{}', { status });
  }) as unknown as typeof fetch;
  recordProgress(ADA, 3, { done: true });
  await jest.advanceTimersByTimeAsync(0);
  expect([waiting(), progressSaving.get(), calls.length]).toEqual([[3], 'waiting', 1]);
  await jest.advanceTimersByTimeAsync(10_000);
  expect([calls.length, calls[0] === calls[1], waiting()]).toEqual([2, true, [3]]);
});

test.each([401, 409])('%s keeps it for after a sign-in and does not try again', async (status) => {
  const calls = holdServer();
  recordProgress(ADA, 3, { done: true });
  await calls[0]?.answer({ title: 'No' }, status);
  expect([waiting(), progressSaving.get(), calls.length]).toEqual([[3], 'signed-out', 1]);
});

test('a session that was ended before its time leaves nothing on screen, one that is over does', async () => {
  const calls = holdServer();
  const inOneHour = new Date(Date.now() + 3_600_000).toISOString();
  saveSession({ ...SESSION, now: new Date().toISOString(), expiresAt: inOneHour }, 't');
  recordProgress(ADA, 3, { done: true });
  await calls[0]?.answer({ title: 'No' }, 401);
  expect([currentAuth().learner, waiting()]).toEqual([null, [3]]);
  signIn(ADA);
  const before = new Date(Date.now() - 1000).toISOString();
  saveSession({ ...SESSION, now: new Date().toISOString(), expiresAt: before }, 't');
  void sendProgress(ADA);
  await calls[1]?.answer({ title: 'No' }, 401);
  expect([currentAuth().learner?.id, waiting()]).toEqual([ADA, [3]]);
});

const refused = () => refusedProgress.get().map(({ lesson }) => lesson);

test('a lesson that is not theirs any more leaves the others their progress, and stays until they decide', async () => {
  const calls = holdServer();
  recordProgress(ADA, 3, { done: true });
  recordProgress(ADA, 4, { done: true });
  recordProgress(ADA, 5, { done: true });
  await calls[0]?.answer(answerOf(3));
  await calls[1]?.answer({ title: 'No' }, 404);
  await calls[2]?.answer({ title: 'No' }, 404);
  await calls[3]?.answer(answerOf(5));
  expect([calls.map(({ body }) => lessonsIn(body)), waiting()]).toEqual([[[3], [4, 5], [4], [5]], []]);
  expect([refused(), knownProgress.get().has(4), knownProgress.get().has(5)]).toEqual([[4], false, true]);
  showUnsentProgress(ADA);
  expect(refused()).toEqual([4]);
  retryRefused(ADA);
  expect([refused(), lessonsIn(calls[4]?.body)]).toEqual([[], [4]]);
  await calls[4]?.answer({ title: 'No' }, 404);
  expect(refused()).toEqual([4]);
  forgetRefused(ADA);
  showUnsentProgress(ADA);
  expect([refused(), waiting()]).toEqual([[], []]);
});

test('what the host left out of a message stays too, and goes with more work in the lesson', async () => {
  const calls = holdServer();
  recordProgress(ADA, 3, { done: true });
  await calls[0]?.answer({ ...answerOf(), refused: [3] });
  expect([refused(), waiting(), calls.length]).toEqual([[3], [], 1]);
  recordProgress(ADA, 3, { position: 5 });
  expect(lessonsIn(calls[1]?.body)).toEqual([3, 3]);
  await calls[1]?.answer(answerOf(3));
  showUnsentProgress(ADA);
  expect([refused(), waiting()]).toEqual([[], []]);
});

test('what an earlier page kept is shown and sent; courses are as the host described them', async () => {
  const calls = holdServer();
  unsentProgress.add(ADA, 9, { at: 5, done: true });
  unsentProgress.add(8, 2, { at: 5, done: true });
  showUnsentProgress(ADA);
  expect([...knownProgress.get().keys()]).toEqual([9]);
  void sendProgress(ADA);
  const status = { done: 1, needed: 1, percent: 100, isComplete: true, missing: [] };
  const courses = [{ course: 11, status, completedAt: '2026-09-15T12:00:00Z' }];
  await calls[0]?.answer({ ...answerOf(9), courses });
  expect([lessonsIn(calls[0]?.body), answeredCourses.get()]).toEqual([[9], courses]);
});
