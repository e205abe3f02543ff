import { type LessonState, merged, NO_PROGRESS, type ProgressChange } from '../../model/progress';
import { createStore } from '../store';

/** `until`: pages that the host made later know the change; Infinity while it waits to be sent. */
export type KnownLesson = { state: LessonState; until: number };
export type KnownLessons = ReadonlyMap<number, KnownLesson>;

// This browser's idea of the server's clock is as far behind as the last page was slow to arrive.
const MAX_DELAY_MS = 60_000;

const store = createStore<KnownLessons>(new Map());

/**
 * What this browser knows of the learner's progress beyond the data of the page on screen: own changes, those of other
 * tabs and the host's answers. Cached and prefetched pages are older than some of them.
 */
export const knownProgress = {
  get: store.get,
  subscribe: store.subscribe,

  /** A change that the host has not accepted yet. */
  add(lesson: number, change: ProgressChange): void {
    put(lesson, { state: merged(stateOf(lesson), change), until: Number.POSITIVE_INFINITY });
  },

  /** The host has accepted what waited, at about this time of its clock. `state`: what it answered. */
  confirm(lesson: number, now: number, state = stateOf(lesson)): void {
    put(lesson, { state, until: now + MAX_DELAY_MS });
  },

  /** What was shown of a lesson does not count. */
  forget(lesson: number): void {
    const left = new Map(store.get());
    if (left.delete(lesson)) store.set(left);
  },

  clear(): void {
    store.set(new Map());
  },
};

/** The newer of what the page says of a lesson, made at `madeAt`, and what is known of it. */
export function isLessonDone(
  lesson: { id: number; isDone: boolean },
  known: KnownLessons,
  madeAt: number,
): boolean {
  const entry = known.get(lesson.id);
  return entry && entry.until >= madeAt && entry.state.doneAt !== null ? entry.state.done : lesson.isDone;
}

/** The newer of the position that the page gives for a lesson, made at `madeAt`, and the one that is known. */
export function positionOf(
  lesson: { id: number; position: number },
  known: KnownLessons,
  madeAt: number,
): number {
  const entry = known.get(lesson.id);
  return entry && entry.until >= madeAt && entry.state.positionAt !== null
    ? entry.state.position
    : lesson.position;
}

function stateOf(lesson: number): LessonState {
  return store.get().get(lesson)?.state ?? NO_PROGRESS;
}

function put(lesson: number, entry: KnownLesson): void {
  store.set(new Map(store.get()).set(lesson, entry));
}
