import type { ProgressChange } from '../../model/progress';
import { UNSENT_PROGRESS_PREFIX as PREFIX } from '../storage/storageKeys';

// Entries of a learner who does not come back to this browser are deleted after this time.
const MAX_AGE_MS = 30 * 86_400_000;

type Timed<T> = { at: number; value: T };

/** Progress in one lesson that the host has not accepted yet: the newest value of each field, with its time. */
export type UnsentLesson = {
  learner: number;
  lesson: number;
  done?: Timed<boolean>;
  position?: Timed<number>;
  furthest?: Timed<number>;
};

/** A change as PUT /api/learning/progress takes it. */
export type SentChange = ProgressChange & { lesson: number };

const memory = new Map<string, string>();

/** One entry per learner and lesson, shared by all tabs. Falls back to memory where storage is refused. */
export const unsentProgress = {
  /** Adds a change to what waits for that lesson. */
  add(learner: number, lesson: number, change: ProgressChange): void {
    const key = keyOf(learner, lesson);
    write(key, JSON.stringify(withChange(parsed(read(key)) ?? { learner, lesson }, change)));
  },

  /** What waits for this learner. Entries of others stay where they are, and go when they are too old. */
  of(learner: number, now: number): UnsentLesson[] {
    const own: UnsentLesson[] = [];
    for (const key of keys()) {
      const entry = parsed(read(key));
      if (entry?.learner === learner) own.push(entry);
      else if (!entry || newest(entry) < now - MAX_AGE_MS) remove(key);
    }
    return own;
  },

  /** Removes what was accepted; an entry that another tab has changed meanwhile stays. */
  accept(entries: UnsentLesson[]): void {
    for (const entry of entries) {
      const key = keyOf(entry.learner, entry.lesson);
      if (read(key) === JSON.stringify(entry)) remove(key);
    }
  },
};

/** The changes of an entry: fields of different times are changes of their own. */
export function changesOf({ lesson, done, position, furthest }: UnsentLesson): SentChange[] {
  const changes: SentChange[] = [];
  if (done) changes.push({ lesson, at: done.at, done: done.value });
  if (position) changes.push({ lesson, at: position.at, position: position.value });
  if (furthest && furthest.at !== position?.at)
    changes.push({ lesson, at: furthest.at, position: furthest.value });
  return changes;
}

/** An entry with a change, by the rule of `merged`: the newer of each field, at equal times done and the larger position. */
function withChange(entry: UnsentLesson, { at, done, position }: ProgressChange): UnsentLesson {
  const next = { ...entry };
  if (done !== undefined && isNewer({ at, value: done }, entry.done)) next.done = { at, value: done };
  if (position !== undefined) {
    const timed = { at, value: position };
    if (isNewer(timed, entry.position)) next.position = timed;
    if (!entry.furthest || position > entry.furthest.value) next.furthest = timed;
  }
  return next;
}

function isNewer<T extends number | boolean>(timed: Timed<T>, stored: Timed<T> | undefined): boolean {
  return !stored || timed.at > stored.at || (timed.at === stored.at && timed.value > stored.value);
}

function newest(entry: UnsentLesson): number {
  return Math.max(entry.done?.at ?? 0, entry.position?.at ?? 0);
}

function keyOf(learner: number, lesson: number): string {
  return `${PREFIX}${learner}.${lesson}`;
}

function parsed(text: string | null): UnsentLesson | null {
  try {
    const value = JSON.parse(text ?? 'null') as Partial<UnsentLesson> | null;
    const isEntry = typeof value?.learner === 'number' && typeof value.lesson === 'number';
    return isEntry ? (value as UnsentLesson) : null;
  } catch {
    return null;
  }
}

function keys(): string[] {
  const found = new Set([...memory.keys()]);
  try {
    for (let index = 0; index < window.localStorage.length; index += 1) {
      const key = window.localStorage.key(index);
      if (key?.startsWith(PREFIX)) found.add(key);
    }
  } catch {
    // Storage is refused: only memory is left.
  }
  return [...found];
}

function read(key: string): string | null {
  try {
    return window.localStorage.getItem(key) ?? memory.get(key) ?? null;
  } catch {
    return memory.get(key) ?? null;
  }
}

function write(key: string, text: string): void {
  try {
    window.localStorage.setItem(key, text);
  } catch {
    memory.set(key, text);
  }
}

function remove(key: string): void {
  memory.delete(key);
  try {
    window.localStorage.removeItem(key);
  } catch {
    // Refused storage held nothing.
  }
}
