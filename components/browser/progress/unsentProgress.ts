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
  /** The host did not accept it: it is not sent again by itself, and stays until the learner has seen it. */
  isRefused?: true;
};

/** A change as PUT /api/learning/progress takes it. */
export type SentChange = ProgressChange & { lesson: number };

const memory = new Map<string, string>();

/** One entry per learner and lesson, shared by all tabs. Falls back to memory where storage is refused. */
export const unsentProgress = {
  /** Adds a change to what waits for that lesson. What was refused of it is sent again with that. */
  add(learner: number, lesson: number, change: ProgressChange): void {
    const { isRefused, ...entry } = parsed(read(keyOf(learner, lesson))) ?? { learner, lesson };
    save(withChange(entry, change));
  },

  /** What waits for this learner. Entries of others stay where they are, and go when they are too old. */
  of(learner: number, now: number): UnsentLesson[] {
    return stored(learner, now).filter(({ isRefused }) => !isRefused);
  },

  /** What the host did not accept. */
  refused(learner: number, now: number): UnsentLesson[] {
    return stored(learner, now).filter(({ isRefused }) => isRefused);
  },

  /** Removes what was accepted; an entry that another tab has changed meanwhile stays. */
  accept(entries: UnsentLesson[]): void {
    for (const entry of entries) {
      const key = keyOf(entry.learner, entry.lesson);
      if (read(key) === JSON.stringify(entry)) remove(key);
    }
  },

  /** Keeps what was not accepted, and does not send it again; an entry that another tab has changed waits on. */
  refuse(entries: UnsentLesson[]): void {
    for (const entry of entries)
      if (read(keyOf(entry.learner, entry.lesson)) === JSON.stringify(entry))
        save({ ...entry, isRefused: true });
  },
};

function stored(learner: number, now: number): UnsentLesson[] {
  const own: UnsentLesson[] = [];
  for (const key of keys()) {
    const entry = parsed(read(key));
    if (entry?.learner === learner) own.push(entry);
    else if (!entry || newest(entry) < now - MAX_AGE_MS) remove(key);
  }
  return own;
}

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

/** When the last of an entry happened. */
export function newest(entry: UnsentLesson): number {
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

// What had no room in storage is newer than what storage holds.
function read(key: string): string | null {
  const held = memory.get(key);
  if (held !== undefined) return held;
  try {
    return window.localStorage.getItem(key);
  } catch {
    return null;
  }
}

function save(entry: UnsentLesson): void {
  const key = keyOf(entry.learner, entry.lesson);
  const text = JSON.stringify(entry);
  try {
    window.localStorage.setItem(key, text);
    memory.delete(key);
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
