import { onPageHide } from '../../browser/session/pageHide';
import { onSignInChange } from '../../browser/session/session';
import { refreshAuth } from '../auth';
import { endSignInAfter } from '../session/endSignIn';

/** A change of a resource. `State` is what is shown of the resource. */
export type Mutation<State, Answer> = {
  /** What it changes, as a cart line's id. */
  subject?: string | number;
  /** How. While it waits, the next change of its subject replaces it if that is of the same kind. */
  kind?: string;
  /** The state after the change. It is applied to what the server says, which may contain the change already. */
  apply?: (state: State) => State;
  /** The call. It may run after the page was left, then beside other changes of the queue. */
  send: () => Promise<Answer>;
  /** Stores the answer, before `apply` ends. Also called with a refusal that is an answer. */
  confirm?: (answer: Answer) => void;
};

export type MutationQueue<State> = {
  /**
   * Resolves to the answer, or null when the change was replaced or the sign-in changed before it. Rejects when the
   * call failed; the change alone is dropped then, and after a 401 the sign-in.
   */
  add: <Answer>(mutation: Mutation<State, Answer>) => Promise<Answer | null>;
  /** What to show for what the server said last: the changes under way, and those that wait, are applied to it. */
  project: (confirmed: State) => State;
};

type Name = { subject?: string | number | undefined; kind?: string | undefined };

type Entry<State> = {
  mutation: Mutation<State, unknown>;
  isSent: boolean;
  resolve: (answer: unknown) => void;
  reject: (problem: unknown) => void;
};

/**
 * The changes of one resource of the signed-in learner: one call at a time, in the order of the changes. `changed` is
 * called when the state to show may have changed. A change of sign-in drops all, and the answers under way.
 */
export function createMutationQueue<State>(changed: () => void = () => undefined): MutationQueue<State> {
  let entries: Entry<State>[] = [];

  function drop(dropped: (entry: Entry<State>) => boolean): void {
    const gone = entries.filter(dropped);
    if (gone.length === 0) return;
    entries = entries.filter((entry) => !gone.includes(entry));
    // Without effect for an entry that is settled.
    for (const entry of gone) entry.resolve(null);
    changed();
  }

  async function send(entry: Entry<State>): Promise<void> {
    const { mutation } = entry;
    entry.isSent = true;
    try {
      const answer = await mutation.send();
      if (!isWanted(entry)) return;
      mutation.confirm?.(answer);
      entry.resolve(answer);
    } catch (problem) {
      if (!isWanted(entry)) return;
      entry.reject(problem);
      endSignInAfter(problem);
    } finally {
      drop((other) => other === entry);
      sendNext();
    }
  }

  /** False after a change of sign-in, which another tab may have made unnoticed. */
  function isWanted(entry: Entry<State>): boolean {
    refreshAuth();
    return entries.includes(entry);
  }

  function sendNext(): void {
    const [next] = entries;
    if (next && !next.isSent && isWanted(next)) void send(next);
  }

  function isReplaced(older: Entry<State>, { subject, kind }: Name): boolean {
    if (kind === undefined) return false;
    const last = entries.findLast(({ mutation }) => mutation.subject === subject);
    return older === last && !older.isSent && older.mutation.kind === kind;
  }

  onSignInChange(() => drop(() => true));
  // Who leaves the page has seen the changes: they are sent without waiting for the answers before them.
  onPageHide(() => {
    for (const entry of entries) if (!entry.isSent) void send(entry);
  });

  return {
    add<Answer>(mutation: Mutation<State, Answer>) {
      return new Promise<Answer | null>((resolve, reject) => {
        drop((older) => isReplaced(older, mutation));
        const entry = { mutation, isSent: false, resolve, reject } as Entry<State>;
        entries = [...entries, entry];
        changed();
        sendNext();
      });
    },
    project: (confirmed) =>
      entries.reduce((state, { mutation }) => mutation.apply?.(state) ?? state, confirmed),
  };
}
