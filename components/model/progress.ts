/**
 * How changes of progress are merged: the same result in any order and after any number of repetitions, as
 * domain/learning/progress_merge.py does (contracts/cases/progress.json).
 */

/** What happened in a lesson. `at`: milliseconds of the server's clock. Fields that are missing did not change. */
export type ProgressChange = { at: number; done?: boolean; position?: number };

/** `position`: seconds of a video, thousandths of a text. `furthest`: the largest position ever. */
export type LessonState = {
  done: boolean;
  doneAt: number | null;
  position: number;
  positionAt: number | null;
  furthest: number;
};

export const NO_PROGRESS: LessonState = {
  done: false,
  doneAt: null,
  position: 0,
  positionAt: null,
  furthest: 0,
};

/** The newer of each field. Of two changes at the same time, done and the larger position count. */
export function merged(state: LessonState, { at, done, position }: ProgressChange): LessonState {
  const next = { ...state };
  if (done !== undefined && isNewer(at, Number(done), state.doneAt, Number(state.done))) {
    next.done = done;
    next.doneAt = at;
  }
  if (position !== undefined) {
    next.furthest = Math.max(state.furthest, position);
    if (isNewer(at, position, state.positionAt, state.position)) {
      next.position = position;
      next.positionAt = at;
    }
  }
  return next;
}

function isNewer(at: number, value: number, storedAt: number | null, stored: number): boolean {
  return storedAt === null || at > storedAt || (at === storedAt && value > stored);
}
