import { type RefObject, useEffect, useRef, useState } from 'react';
import { askBeforeLeaving } from '../../browser/navigation';
import { fieldTexts } from './formValues';

export type LeaveQuestion = {
  /** A link was clicked while there were changes. */
  isAsking: boolean;
  leave: () => void;
  stay: () => void;
  /** What the fields hold now is stored. */
  setSaved: () => void;
};

/** Asks before a page with unsaved changes is left, if `isOn`. */
export function useLeaveQuestion(isOn: boolean, form: RefObject<HTMLFormElement | null>): LeaveQuestion {
  const saved = useRef('');
  const [link, setLink] = useState<HTMLAnchorElement | null>(null);

  function setSaved() {
    saved.current = snapshotOf(form.current);
  }

  useEffect(() => {
    if (!isOn) return;
    saved.current = snapshotOf(form.current);
    return askBeforeLeaving(
      () => form.current !== null && snapshotOf(form.current) !== saved.current,
      setLink,
    );
  }, [isOn, form]);

  return {
    isAsking: link !== null,
    leave: () => {
      setSaved();
      link?.click();
    },
    stay: () => setLink(null),
    setSaved,
  };
}

function snapshotOf(form: HTMLFormElement | null): string {
  return form ? JSON.stringify(fieldTexts(form)) : '';
}
