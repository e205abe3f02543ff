import { type RefObject, useEffect, useState } from 'react';
import { currentAuth } from '../../api/auth';
import { clearForm, savedForm, saveForm } from '../../browser/storage/savedForms';
import { fieldTexts, fillForm } from './formValues';

export type Draft = {
  /** What was typed in this tab before is in the fields again. */
  isRestored: boolean;
  save: () => void;
  discard: () => void;
  /** After it was sent. */
  clear: () => void;
};

/** What is typed in a form, kept in this tab for the same learner and version; "" keeps nothing. */
export function useDraft(name: string, version: number, form: RefObject<HTMLFormElement | null>): Draft {
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
