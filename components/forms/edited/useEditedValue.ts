import { useEffect, useRef, useState } from 'react';
import { currentAuth } from '../../api/auth';
import { askBeforeLeaving } from '../../browser/navigation';
import { clearForm, savedForm, saveForm } from '../../browser/storage/savedForms';
import { type Call, useCall } from '../call/useCall';
import type { LeaveQuestion } from '../call/useLeaveQuestion';

type EditedOptions<T> = {
  /** What is stored, and the version of it. */
  stored: T;
  version: number;
  /** Name under which this tab keeps the changes until they are saved. */
  draft: string;
  /** Its answer may have the `version` of what is stored now. */
  send: (value: T, version: number) => Promise<unknown>;
  onSaved: () => void;
  /** The values of a conflict as they are edited. */
  read: (values: Record<string, unknown>) => T;
  /** "Keep mine": what was edited, with what the others have added since `before`. */
  merge?: (mine: T, theirs: T, before: T) => T;
};

export type EditedValue<T> = {
  value: T;
  /** Changes with the same tag one after another are one step of undo, as letters that are typed. */
  change: (value: T, tag?: string) => void;
  undo: () => void;
  canUndo: boolean;
  isChanged: boolean;
  call: Call;
  save: () => Promise<void>;
  takeTheirs: () => void;
  keepMine: () => Promise<void>;
  /** What was changed in this tab before is here again. */
  isRestored: boolean;
  discard: () => void;
  question: LeaveQuestion;
};

type Step<T> = { value: T; tag: string };
const MAX_STEPS = 100;

/**
 * A value that is edited as a whole and sent by one call: with undo, a draft in this tab, a question before leaving, and
 * the choice after somebody else was faster. For what is more than fields of a form (docs/decisions/0030).
 */
export function useEditedValue<T>(options: EditedOptions<T>): EditedValue<T> {
  const { stored, version, draft, send, onSaved, read, merge = (mine) => mine } = options;
  const call = useCall();
  const [value, setValue] = useState(stored);
  const [steps, setSteps] = useState<Step<T>[]>([]);
  const [isRestored, setRestored] = useState(false);
  const base = useRef({ value: stored, version });
  const sent = useRef<string | null>(null);
  const key = `${draft}:${currentAuth().learner?.id ?? 0}`;
  const isChanged = textOf(value) !== textOf(base.current.value);
  const { question, changed } = useQuestion(isChanged);

  function show(next: T, left: Step<T>[]) {
    setValue(next);
    setSteps(left);
    changed.current = textOf(next) !== textOf(base.current.value);
    if (changed.current) saveForm(key, { version: base.current.version, texts: { value: [textOf(next)] } });
    else clearForm(key);
  }

  function rebase(next: T, nextVersion: number) {
    base.current = { value: next, version: nextVersion };
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: only another version is another stored value
  useEffect(() => {
    if (version !== base.current.version) {
      const isSaved = sent.current === null || sent.current === textOf(value);
      rebase(stored, version);
      sent.current = null;
      if (isSaved) show(stored, []);
      else changed.current = true;
      return;
    }
    const saved = savedForm(key, version)?.value?.[0];
    if (!saved || saved === textOf(stored)) return;
    show(JSON.parse(saved) as T, []);
    setRestored(true);
  }, [version]);

  async function sendValue(wanted: T) {
    let answer: unknown;
    const isDone = await call.run(async () => {
      answer = await send(wanted, base.current.version);
    });
    if (!isDone) return;
    sent.current = textOf(wanted);
    clearForm(key);
    setRestored(false);
    changed.current = false;
    if (versionOf(answer) === base.current.version) {
      // It was stored already as it is: no other version will come.
      show(base.current.value, []);
      sent.current = null;
    }
    onSaved();
  }

  return {
    value,
    change: (next, tag = '') => {
      const last = steps.at(-1);
      const isSameStep = tag !== '' && last?.tag === tag;
      show(next, isSameStep ? steps : [...steps, { value, tag }].slice(-MAX_STEPS));
    },
    undo: () => {
      const last = steps.at(-1);
      if (last) show(last.value, steps.slice(0, -1));
    },
    canUndo: steps.length > 0,
    isChanged,
    call,
    save: () => sendValue(value),
    takeTheirs: () => {
      if (!call.conflict) return;
      const theirs = read(call.conflict.values);
      rebase(theirs, call.conflict.version);
      show(theirs, []);
      call.reset();
    },
    keepMine: async () => {
      if (!call.conflict) return;
      const theirs = read(call.conflict.values);
      const merged = merge(value, theirs, base.current.value);
      rebase(theirs, call.conflict.version);
      show(merged, [...steps, { value, tag: '' }]);
      await sendValue(merged);
    },
    isRestored,
    discard: () => {
      show(base.current.value, []);
      setRestored(false);
    },
    question,
  };
}

function useQuestion(isChanged: boolean) {
  const changed = useRef(isChanged);
  const [link, setLink] = useState<HTMLAnchorElement | null>(null);
  useEffect(() => askBeforeLeaving(() => changed.current, setLink), []);
  const setSaved = () => {
    changed.current = false;
  };
  const question: LeaveQuestion = {
    isAsking: link !== null,
    leave: () => {
      setSaved();
      link?.click();
    },
    stay: () => setLink(null),
    setSaved,
  };
  return { question, changed };
}

function versionOf(answer: unknown): unknown {
  return typeof answer === 'object' && answer !== null && 'version' in answer ? answer.version : undefined;
}

const textOf = (value: unknown) => JSON.stringify(value);
