import { LESSON_DRAFT_PREFIX as PREFIX } from '../storage/storageKeys';

// Drafts of a learner who does not come back to this browser are deleted after this time.
const MAX_AGE_MS = 30 * 86_400_000;

/** Ids of options, or a number as it was typed; by the question's id. */
export type QuizAnswers = Record<string, string[] | string>;
/** `eventId`: of the attempt that was sent, until its answer arrives: sent again, it is the same attempt. */
export type QuizDraft = { revision: number; answers: QuizAnswers; eventId: string | null };
/** `version`: of the note that the text was made from. */
export type NoteDraft = { body: string; version: number };
type Drafts = { quiz: QuizDraft; note: NoteDraft };

const memory = new Map<string, string>();

/**
 * What learners wrote and the host does not have yet. It survives a reload, the end of the sign-in and a lost
 * connection, and is read by its learner alone. Falls back to memory where storage is refused.
 */
export const lessonDrafts = {
  read<K extends keyof Drafts>(kind: K, learner: number, lesson: number): Drafts[K] | null {
    const draft = parsed(stored(keyOf(kind, learner, lesson)));
    const isOfKind = kind === 'quiz' ? isObject(draft?.answers) : typeof draft?.body === 'string';
    return isOfKind ? (draft as unknown as Drafts[K]) : null;
  },

  write<K extends keyof Drafts>(kind: K, learner: number, lesson: number, draft: Drafts[K]): void {
    store(keyOf(kind, learner, lesson), JSON.stringify({ ...draft, at: Date.now() }));
  },

  remove(kind: keyof Drafts, learner: number, lesson: number): void {
    discard(keyOf(kind, learner, lesson));
  },

  /** Deletes drafts of others that are too old; those of this learner stay. */
  removeOld(learner: number, now = Date.now()): void {
    for (const key of keys()) {
      const isOwn = key.slice(PREFIX.length).split('.')[1] === String(learner);
      const at = parsed(stored(key))?.at;
      if (!isOwn && !(typeof at === 'number' && at > now - MAX_AGE_MS)) discard(key);
    }
  },
};

function keyOf(kind: string, learner: number, lesson: number): string {
  return `${PREFIX}${kind}.${learner}.${lesson}`;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function parsed(text: string | null): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text ?? 'null');
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

function keys(): string[] {
  try {
    return Object.keys(window.localStorage).filter((key) => key.startsWith(PREFIX));
  } catch {
    return [];
  }
}

function stored(key: string): string | null {
  try {
    return window.localStorage.getItem(key) ?? memory.get(key) ?? null;
  } catch {
    return memory.get(key) ?? null;
  }
}

function store(key: string, text: string): void {
  try {
    window.localStorage.setItem(key, text);
  } catch {
    memory.set(key, text);
  }
}

function discard(key: string): void {
  memory.delete(key);
  try {
    window.localStorage.removeItem(key);
  } catch {
    // Refused storage held nothing.
  }
}
