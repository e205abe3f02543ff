import { useEffect, useRef, useState } from 'react';
import { putCheckout, type Values } from '../api/checkout';
import { ApiProblem } from '../api/client';
import { onPageLeft } from '../browser/checkout/plainForm';
import { onReconnect } from '../browser/windowEvents';
import type { Checkout } from '../contracts/schema';

const TYPING_MS = 700;

type Draft = { values: Values; service: string };

export type StoredValues = Draft & {
  change: (name: string, value: string, isFinal: boolean) => void;
  chooseService: (service: string) => void;
  /** Stores at once what is not stored yet. */
  store: () => void;
  /** The next answer is of no interest: another call has a newer one. */
  ignoreAnswers: () => void;
  isBusy: boolean;
  /** Why the last change is not stored; null: it is. */
  problem: ApiProblem | null;
};

/**
 * What is typed, stored by the server a moment after each change, and at once when something is chosen or a field is
 * left. One call at a time, so that an older state never replaces a newer one. `onAnswer` gets the fields and prices for
 * what was stored.
 */
export function useStoredValues(first: Draft, onAnswer: (answer: Checkout) => void): StoredValues {
  const [draft, setDraft] = useState(first);
  const [isBusy, setIsBusy] = useState(false);
  const [problem, setProblem] = useState<ApiProblem | null>(null);
  const latest = useRef({ draft: first, isStored: true, isRunning: false, answers: 0 });
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);

  async function store(): Promise<void> {
    clearTimeout(timer.current);
    const state = latest.current;
    if (state.isStored || state.isRunning) return;
    state.isRunning = true;
    state.isStored = true;
    setIsBusy(true);
    const number = state.answers;
    try {
      const answer = await putCheckout(state.draft.values, state.draft.service);
      setProblem(null);
      if (state.isStored && number === state.answers) onAnswer(answer);
    } catch (cause) {
      if (!(cause instanceof ApiProblem)) throw cause;
      state.isStored = false;
      setProblem(cause);
      return;
    } finally {
      state.isRunning = false;
      setIsBusy(false);
    }
    if (!latest.current.isStored) await store();
  }

  function apply(draft: Draft, isFinal: boolean) {
    latest.current.draft = draft;
    latest.current.isStored = false;
    setDraft(draft);
    clearTimeout(timer.current);
    if (isFinal) void store();
    else timer.current = setTimeout(() => void store(), TYPING_MS);
  }

  const storeNow = useRef(store);
  storeNow.current = store;
  useEffect(() => {
    // The page does not wait for the answer of a call under way.
    const sendLast = () => {
      const state = latest.current;
      clearTimeout(timer.current);
      if (state.isStored) return;
      state.isStored = true;
      putCheckout(state.draft.values, state.draft.service).catch(() => {
        state.isStored = false;
      });
    };
    const stops = [onPageLeft(sendLast), onReconnect(() => void storeNow.current()), sendLast];
    return () => {
      for (const stop of stops) stop();
    };
  }, []);

  return {
    ...draft,
    change: (name, value, isFinal) => {
      const { values, service } = latest.current.draft;
      apply({ values: { ...values, [name]: value }, service }, isFinal);
    },
    chooseService: (service) => apply({ ...latest.current.draft, service }, true),
    store: () => void store(),
    ignoreAnswers: () => {
      latest.current.answers += 1;
    },
    isBusy,
    problem,
  };
}
