import { type FormEvent, type RefObject, useEffect, useRef, useState } from 'react';
import { currentAuth } from '../../api/auth';
import { clearForm, savedForm, saveForm } from '../../browser/storage/savedForms';
import type { Conflict } from '../../contracts/schema';
import type { FieldErrors } from './callOutcome';
import { type FieldTexts, fieldTexts, fillForm, hasField, shownField, textsOf } from './formValues';
import { type Call, useCall } from './useCall';
import { type LeaveQuestion, useLeaveQuestion } from './useLeaveQuestion';

type CallFormOptions<V, R> = {
  read: (data: FormData) => V;
  /** Errors that need no call; with one, none is made. */
  check?: (values: V) => FieldErrors;
  onSuccess?: (result: R, form: HTMLFormElement) => void;
  /** Shared with other actions on the same thing: one at a time, one error. */
  call?: Call;
  /** Known from the page's props; shown until the first submission. */
  errors?: FieldErrors;
  /** The version of what is edited; `send` gets it. */
  version?: number;
  /** Name under which this tab keeps what is typed until it is sent. */
  draft?: string;
  /** Asks before the page is left with unsaved changes. */
  asksBeforeLeaving?: boolean;
  /** Whether it was sent: a call may only have said what it would do. */
  isDone?: (result: R) => boolean;
  /** The texts of the form that hold values of the call; without it those of the fields of the same names. */
  texts?: (values: Record<string, unknown>) => FieldTexts;
  /** The label of a field, and in words what it holds; without it as the form shows them. */
  words?: (name: string, texts: FieldTexts) => FieldWords | null;
};

type FieldWords = { label: string; words: string };

/** One field that both have changed. */
export type Difference = { name: string; label: string; mine: string; theirs: string };

export type CallForm = {
  formProps: {
    ref: RefObject<HTMLFormElement | null>;
    noValidate: true;
    onSubmit: (event: FormEvent<HTMLFormElement>) => void;
    onInput: () => void;
    'aria-busy': boolean;
  };
  call: Call;
  isBusy: boolean;
  errors: FieldErrors;
  /** The error of the form as a whole: of the call, and of fields that the form does not have. */
  text: string;
  /** What somebody else has changed meanwhile; null without a conflict. */
  differences: Difference[] | null;
  /** Puts theirs into the fields; nothing is sent. */
  takeTheirs: () => void;
  /** Sends mine, but for the fields with these names, which become theirs. */
  keepMine: (but: string[]) => void;
  draft: Draft;
  question: LeaveQuestion;
};

const NO_ERRORS: FieldErrors = {};

/**
 * A form that makes one call at a time; `formProps` belong on the form. What is typed stays in its fields whatever the
 * answer is. After each failed submission the first wrong field gets the focus, else the error of the form.
 *
 * No action of React: while one waits for an answer, React holds back every transition, and so each page that a link
 * leads to (docs/decisions/0030).
 */
export function useCallForm<V, R>(
  send: (values: V, version: number) => Promise<R>,
  options: CallFormOptions<V, R>,
): CallForm {
  const own = useCall();
  const call = options.call ?? own;
  const form = useRef<HTMLFormElement>(null);
  const [ownErrors, setOwnErrors] = useState(options.errors ?? NO_ERRORS);
  const [submissions, setSubmissions] = useState(0);
  const version = useRef(options.version ?? 0);
  useEffect(() => {
    version.current = options.version ?? 0;
  }, [options.version]);
  const draft = useDraft(options.draft ?? '', options.version ?? 0, form);
  const question = useLeaveQuestion(options.asksBeforeLeaving ?? false, form);
  const errors = { ...call.errors, ...ownErrors };
  const elsewhere = useErrorsElsewhere(errors, form);
  const textsIn = options.texts ?? textsOf;
  useFirstError(form, submissions, call.attempts, elsewhere);

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (call.isBusy) return;
    const element = event.currentTarget;
    const values = options.read(new FormData(element, (event.nativeEvent as SubmitEvent).submitter));
    const wrong = options.check?.(values) ?? NO_ERRORS;
    setOwnErrors(wrong);
    if (Object.keys(wrong).length === 0) await sendValues(values, element);
    setSubmissions((count) => count + 1);
  }

  async function sendValues(values: V, element: HTMLFormElement) {
    let result: R | undefined;
    const isDone = await call.run(async () => {
      result = await send(values, version.current);
    });
    if (!isDone) return;
    if (options.isDone?.(result as R) ?? true) {
      draft.clear();
      question.setSaved();
    }
    options.onSuccess?.(result as R, element);
  }

  function resolve(apply: (conflict: Conflict, element: HTMLFormElement) => void) {
    if (!call.conflict || !form.current) return;
    version.current = call.conflict.version;
    apply(call.conflict, form.current);
  }

  return {
    formProps: {
      ref: form,
      noValidate: true,
      onSubmit: (event) => void submit(event),
      onInput: draft.save,
      'aria-busy': call.isBusy,
    },
    call,
    isBusy: call.isBusy,
    errors,
    text: [call.text, errors.form, elsewhere].filter(Boolean).join(' '),
    differences:
      call.conflict && form.current
        ? differencesOf(textsIn(call.conflict.values), form.current, options.words)
        : null,
    takeTheirs: () =>
      resolve(({ values }, element) => {
        fillForm(element, textsIn(values));
        call.reset();
        question.setSaved();
        draft.clear();
      }),
    keepMine: (but) =>
      resolve(({ values }, element) => {
        const theirs = Object.entries(values).filter(([name]) => but.includes(name));
        fillForm(element, textsIn(Object.fromEntries(theirs)));
        element.requestSubmit();
      }),
    draft,
    question,
  };
}

/** After each attempt the focus goes to the first wrong field, else to the error of the whole form. */
function useFirstError(
  form: RefObject<HTMLFormElement | null>,
  submissions: number,
  attempts: number,
  elsewhere: string,
): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the error elsewhere is shown one render later
  useEffect(() => {
    if (submissions === 0 && attempts === 0) return;
    const wrong = form.current?.querySelector<HTMLElement>('[aria-invalid="true"]');
    (wrong ?? form.current?.querySelector<HTMLElement>('.form-error, .conflict'))?.focus();
    // A wrong code is typed anew, not corrected.
    if (wrong instanceof HTMLInputElement && wrong.matches('[autocomplete=one-time-code]')) wrong.select();
  }, [form, submissions, attempts, elsewhere]);
}

/** The errors of names that no field of the form has: they are shown above it. */
function useErrorsElsewhere(errors: FieldErrors, form: RefObject<HTMLFormElement | null>): string {
  const [text, setText] = useState('');
  useEffect(() => {
    const others = Object.entries(errors).filter(
      ([name]) => name !== 'form' && form.current && !hasField(form.current, name),
    );
    setText(others.map(([, error]) => error).join(' '));
  });
  return text;
}

function differencesOf(
  theirs: FieldTexts,
  form: HTMLFormElement,
  words = (name: string, texts: FieldTexts) => wordsInForm(form, name, texts),
): Difference[] {
  const own = fieldTexts(form);
  return Object.keys(theirs).flatMap((name) => {
    const [mine, other] = [words(name, own), words(name, theirs)];
    if (!mine || !other || mine.words === other.words) return [];
    return [{ name, label: mine.label, mine: mine.words, theirs: other.words }];
  });
}

function wordsInForm(form: HTMLFormElement, name: string, texts: FieldTexts): FieldWords | null {
  const field = shownField(form, name);
  return field && { label: field.label, words: field.show(texts[name] ?? []) };
}

type Draft = {
  /** What was typed in this tab before is in the fields again. */
  isRestored: boolean;
  save: () => void;
  discard: () => void;
  /** After it was sent. */
  clear: () => void;
};

/** What is typed in a form, kept in this tab for the same learner and version; "" keeps nothing. */
function useDraft(name: string, version: number, form: RefObject<HTMLFormElement | null>): Draft {
  const [isRestored, setIsRestored] = useState(false);

  useEffect(() => {
    const texts = name && savedForm(keyOf(name), version);
    if (!texts || !form.current) return;
    fillForm(form.current, texts);
    setIsRestored(true);
  }, [name, version, form]);

  function clear() {
    if (name) clearForm(keyOf(name));
    setIsRestored(false);
  }

  return {
    isRestored,
    save: () => {
      if (name && form.current) saveForm(keyOf(name), { version, texts: fieldTexts(form.current) });
    },
    discard: () => {
      form.current?.reset();
      clear();
    },
    clear,
  };
}

const keyOf = (name: string) => `${name}:${currentAuth().learner?.id ?? 0}`;
