import { knownProgress } from '../../browser/progress/knownProgress';
import { changesOf, type UnsentLesson, unsentProgress } from '../../browser/progress/unsentProgress';
import { currentSession, serverNow } from '../../browser/session/session';
import { createStore } from '../../browser/store';
import type { CourseProgressState, ProgressAnswer } from '../../contracts/schema';
import type { ProgressChange } from '../../model/progress';
import { ApiProblem, put } from '../client';
import { endSignIn } from '../session/endSignIn';

/** waiting: kept in this browser until the host can be reached. signed-out: until the learner signs in again. */
export type SaveState = 'idle' | 'saving' | 'saved' | 'waiting' | 'signed-out';

// The host takes 100 changes; a lesson has at most three.
const MAX_LESSONS = 30;
const RETRY_S = 10;

const saveState = createStore<SaveState>('idle');
const answered = createStore<CourseProgressState[]>([]);
const refused = createStore<UnsentLesson[]>([]);
let isSending = false;
let retry: ReturnType<typeof setTimeout> | undefined;

export const progressSaving = { get: saveState.get, subscribe: saveState.subscribe };
/** Courses as the host described them in its last answer. */
export const answeredCourses = { get: answered.get, subscribe: answered.subscribe };

/** What the host did not accept of the learner's progress. */
export const refusedProgress = { get: refused.get, subscribe: refused.subscribe };

/** Records what happened in a lesson now: kept in this browser until the host has accepted it. */
export function recordProgress(learner: number, lesson: number, change: Omit<ProgressChange, 'at'>): void {
  const timed = { ...change, at: serverNow() };
  unsentProgress.add(learner, lesson, timed);
  knownProgress.add(lesson, timed);
  void sendProgress(learner);
}

/** Shows what an earlier page or another tab recorded and the host has not accepted yet. */
export function showUnsentProgress(learner: number): void {
  for (const entry of unsentProgress.of(learner, serverNow())) showUnsentLesson(entry);
  showRefused(learner);
}

/** Sends what was refused once more: the learner may have access again. */
export function retryRefused(learner: number): void {
  // Whatever is added to an entry lets all of it be sent.
  for (const { lesson } of refused.get()) unsentProgress.add(learner, lesson, { at: 0 });
  refused.set([]);
  void sendProgress(learner);
}

/** Forgets what was refused, which the learner has seen. */
export function forgetRefused(learner: number): void {
  unsentProgress.accept(refused.get());
  showRefused(learner);
}

function showRefused(learner: number): void {
  const entries = unsentProgress.refused(learner, serverNow());
  if (entries.length > 0 || refused.get().length > 0) refused.set(entries);
}

export function showUnsentLesson(entry: UnsentLesson): void {
  for (const { lesson, ...change } of changesOf(entry)) knownProgress.add(lesson, change);
}

/** Sends what waits, until nothing does or a call fails. One call at a time. */
export async function sendProgress(learner: number): Promise<void> {
  if (isSending) return;
  isSending = true;
  clearTimeout(retry);
  try {
    let sent = '';
    for (;;) {
      const entries = unsentProgress.of(learner, serverNow()).slice(0, MAX_LESSONS);
      const text = JSON.stringify(entries);
      // What cannot be removed after it was accepted is not sent again and again.
      if (entries.length === 0 || text === sent) return;
      sent = text;
      if (!(await deliver(learner, entries))) return;
    }
  } finally {
    isSending = false;
  }
}

/** Sends what waits without waiting for calls under way: the page is left, or hidden for good. */
export function sendProgressAtOnce(learner: number): void {
  const entries = unsentProgress.of(learner, serverNow());
  if (entries.length > 0) void deliver(learner, entries.slice(0, MAX_LESSONS));
}

/** Whether the host has taken or refused each of the entries; else they wait on. */
async function deliver(learner: number, entries: UnsentLesson[]): Promise<boolean> {
  saveState.set('saving');
  try {
    const body = { learnerId: learner, changes: entries.flatMap(changesOf) };
    const answer = await put<ProgressAnswer>('/learning/progress', body, { keepalive: true });
    accept(entries, answer);
    return true;
  } catch (problem) {
    if (!(problem instanceof ApiProblem)) throw problem;
    if (problem.status === 404 || problem.status === 422) return leaveOut(learner, entries);
    keep(learner, problem);
    return false;
  }
}

function accept(entries: UnsentLesson[], answer: ProgressAnswer): void {
  const without = new Set(answer.refused);
  unsentProgress.accept(entries.filter(({ lesson }) => !without.has(lesson)));
  refuse(entries.filter(({ lesson }) => without.has(lesson)));
  for (const { lesson, isDone, ...state } of answer.lessons)
    knownProgress.confirm(lesson, serverNow(), { ...state, done: isDone });
  // A change of the meantime is newer than the answer.
  const sent = new Set(entries.map(({ lesson }) => lesson));
  const learner = entries[0]?.learner;
  if (learner !== undefined)
    for (const entry of unsentProgress.of(learner, serverNow()))
      if (sent.has(entry.lesson)) showUnsentLesson(entry);
  saveState.set('saved');
  answered.set(answer.courses);
}

/** One lesson that was not theirs any more must not keep the others from being saved. */
async function leaveOut(learner: number, entries: UnsentLesson[]): Promise<boolean> {
  if (entries.length === 1) {
    refuse(entries);
    saveState.set('idle');
    return true;
  }
  for (const entry of entries) if (!(await deliver(learner, [entry]))) return false;
  return true;
}

/** Keeps them for the learner to see, and shows no longer that they are saved. */
function refuse(entries: UnsentLesson[]): void {
  unsentProgress.refuse(entries);
  for (const { learner, lesson } of entries) {
    knownProgress.forget(lesson);
    showRefused(learner);
  }
}

/** Where no call can succeed before a sign-in there is no use in trying again. */
function keep(learner: number, problem: ApiProblem): void {
  const isSignedOut = problem.status === 401 || problem.status === 409;
  saveState.set(isSignedOut ? 'signed-out' : 'waiting');
  if (!isSignedOut) {
    clearTimeout(retry);
    retry = setTimeout(() => void sendProgress(learner), (problem.retryAfterS ?? RETRY_S) * 1000);
    return;
  }
  // A session that ended before its time was signed out, in another browser perhaps: nothing of it stays on screen.
  const session = currentSession();
  if (problem.status === 401 && session && Date.parse(session.expiresAt) > serverNow()) endSignIn();
}
