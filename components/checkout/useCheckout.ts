import { type FormEvent, type RefObject, useEffect, useRef, useState } from 'react';
import { checkoutIn, getCheckout, placeOrder, putCheckout, type Values } from '../api/checkout';
import { ApiProblem } from '../api/client';
import { focusOn, onPageLeft, postForm } from '../browser/checkout/plainForm';
import { leaveFor } from '../browser/navigation';
import { onReconnect } from '../browser/windowEvents';
import type { Checkout, CheckoutDifference, CheckoutFieldSchema, CheckoutRefused } from '../contracts/schema';
import type { FieldErrors } from '../forms/call/callOutcome';
import { idOf } from './CheckoutField';
import { placeProblemText } from './placeProblemText';

/** What the last press of the button came to. */
type Outcome = { errors: FieldErrors; differences: readonly CheckoutDifference[]; text: string };

const NOTHING: Outcome = { errors: {}, differences: [], text: '' };

export type CheckoutModel = Outcome & {
  /** Errors of the last press alone, by name of the field. */
  pressErrors: FieldErrors;
  /** As the server has described it last. */
  checkout: Checkout;
  stored: StoredValues;
  change: (field: CheckoutFieldSchema, value: string) => void;
  /** By name of the field: of the last press, and what the server says of values that it has. */
  errors: FieldErrors;
  /** By name of the field: what may be wrong with values that the server has. */
  warnings: FieldErrors;
  isPlacing: boolean;
  /** The sign-in has ended: the form itself leads to a new one and back. */
  isSignInOver: boolean;
  formRef: RefObject<HTMLFormElement | null>;
  onSubmit: (event: FormEvent<HTMLFormElement>) => void;
  /** Sends the form without script. */
  postPlainForm: () => void;
};

/** The state of the checkout: what is typed, what it costs, and placing the order. */
export function useCheckout(first: Checkout, refused: CheckoutRefused | null): CheckoutModel {
  const [checkout, setCheckout] = useState(first);
  const [outcome, setOutcome] = useState(outcomeOf(refused));
  const [isPlacing, setIsPlacing] = useState(false);
  const [attempts, setAttempts] = useState(0);
  // Before React renders the busy state, a second press must already be refused.
  const isRunning = useRef(false);
  const formRef = useRef<HTMLFormElement>(null);
  const stored = useStoredValues({ values: valuesOf(first), service: serviceOf(first) }, setCheckout);

  useFocusAfter(attempts, outcome);

  function change(field: CheckoutFieldSchema, value: string) {
    // What is listed as changed is no longer what the order costs.
    setOutcome((last) => ({ ...last, differences: [], errors: without(last.errors, field.name) }));
    stored.change(field.name, value, field.changesForm);
  }

  async function place() {
    if (isRunning.current) return;
    isRunning.current = true;
    setIsPlacing(true);
    stored.ignoreAnswers();
    try {
      finish(await send());
    } catch (cause) {
      if (!(cause instanceof ApiProblem)) throw cause;
      finish(outcomeOfProblem(cause));
    } finally {
      isRunning.current = false;
      setIsPlacing(false);
    }
  }

  async function send(): Promise<Outcome> {
    const { key, seen, terms } = checkout;
    const { values, service } = stored;
    const result = await placeOrder({ key, seen, values, service, terms: terms.date });
    if (result.status === 'success') {
      await leaveFor(result.redirect);
      // Somebody came back from the page of the payment: the order is open, and shown above the form.
      setCheckout(await getCheckout());
      return NOTHING;
    }
    setCheckout(result.checkout);
    if (result.status === 'changed') return { ...NOTHING, differences: result.differences };
    return { ...NOTHING, text: result.lines.map(({ message }) => message).join(' ') };
  }

  function outcomeOfProblem(problem: ApiProblem): Outcome {
    if (problem.status === 401) postPlainForm();
    // With a new key, and the prices of now.
    const answer = checkoutIn(problem);
    if (answer) setCheckout(answer);
    const { errors } = problem;
    return { ...NOTHING, errors, text: Object.keys(errors).length > 0 ? '' : placeProblemText(problem) };
  }

  function finish(next: Outcome) {
    setOutcome(next);
    setAttempts((count) => count + 1);
  }

  function postPlainForm() {
    if (formRef.current) postForm(formRef.current, 'do', 'update');
  }

  return {
    ...outcome,
    pressErrors: outcome.errors,
    errors: { ...textsOf('error', checkout, stored.values), ...outcome.errors },
    warnings: textsOf('warning', checkout, stored.values),
    checkout,
    stored,
    change,
    isPlacing,
    isSignInOver: stored.problem?.status === 401,
    formRef,
    onSubmit: (event) => {
      event.preventDefault();
      void place();
    },
    postPlainForm,
  };
}

/** After a press: one wrong field, else the list of errors, the changed prices, or what went wrong. */
function useFocusAfter(attempts: number, { errors, differences, text }: Outcome): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a press moves the focus
  useEffect(() => {
    if (attempts === 0) return;
    const names = Object.keys(errors);
    if (names.length === 1) focusOn(idOf(names[0] ?? ''));
    else if (names.length > 1) focusOn('errors');
    else if (differences.length > 0) focusOn('differences');
    else if (text) focusOn('problem');
  }, [attempts]);
}

function outcomeOf(refused: CheckoutRefused | null): Outcome {
  return refused === null ? NOTHING : { ...refused, text: refused.message };
}

function fieldsOf({ forms }: Checkout): CheckoutFieldSchema[] {
  return forms.flatMap(({ fields }) => fields);
}

const valuesOf = (checkout: Checkout) =>
  Object.fromEntries(fieldsOf(checkout).map(({ name, value }) => [name, value]));

const serviceOf = ({ services }: Checkout) => services.find(({ isChosen }) => isChosen)?.name ?? '';

/** What the server says of values that are still in their fields. */
function textsOf(kind: 'error' | 'warning', checkout: Checkout, values: Record<string, string>): FieldErrors {
  const messages = fieldsOf(checkout).filter(
    (field) => field[kind] !== null && values[field.name] === field.value,
  );
  return Object.fromEntries(messages.map((field) => [field.name, field[kind] ?? '']));
}

function without(errors: FieldErrors, name: string): FieldErrors {
  const { [name]: _, ...rest } = errors;
  return rest;
}

const TYPING_MS = 700;

type Draft = { values: Values; service: string };

type StoredValues = Draft & {
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
function useStoredValues(first: Draft, onAnswer: (answer: Checkout) => void): StoredValues {
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
