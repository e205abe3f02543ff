import { type RefObject, useEffect, useLayoutEffect, useReducer, useRef } from 'react';
import { getSuggestions, type Suggestion } from '../api/suggestions';
import { stillFitting } from './suggestionRules';

/** What is in the box, what is suggested for it, whether the list shows and which of its entries is chosen. */
export type Suggested = { typed: string; suggestions: Suggestion[]; isOpen: boolean; active: number | null };

type Change =
  | { type: 'typed'; text: string }
  | { type: 'answered'; text: string; suggestions: Suggestion[] }
  | { type: 'opened' }
  | { type: 'closed' }
  | { type: 'moved'; to: number | null };

// A pause in typing: shorter asks for every letter, longer feels slow.
export const PAUSE_MS = 120;

const NOTHING: Suggested = { typed: '', suggestions: [], isOpen: false, active: null };

function changed(state: Suggested, change: Change): Suggested {
  switch (change.type) {
    case 'typed': {
      const suggestions = change.text === '' ? [] : stillFitting(state.suggestions, change.text);
      return {
        typed: change.text,
        suggestions,
        isOpen: state.isOpen && suggestions.length > 0,
        active: null,
      };
    }
    case 'answered':
      if (change.text !== state.typed) return state;
      return {
        ...state,
        suggestions: change.suggestions,
        isOpen: change.suggestions.length > 0,
        active: null,
      };
    case 'opened':
      return { ...state, isOpen: state.suggestions.length > 0 };
    case 'closed':
      return { ...state, isOpen: false, active: null };
    case 'moved':
      return { ...state, active: change.to };
  }
}

/** The entry a key leads to, past the ends through the box itself (null); undefined for keys that mean no entry. */
function target(key: string, { suggestions, active }: Suggested): number | null | undefined {
  const last = suggestions.length - 1;
  if (key === 'ArrowDown') return active === null ? 0 : active === last ? null : active + 1;
  if (key === 'ArrowUp') return active === null ? last : active === 0 ? null : active - 1;
  if (active === null) return undefined;
  if (key === 'Home') return 0;
  return key === 'End' ? last : undefined;
}

type Asker = { ask: (text: string) => void; stop: () => void };

/** Asks after a pause in typing; an answer that a later letter has overtaken is never heard. */
function makeAsker(onAnswer: (text: string, suggestions: Suggestion[]) => void): Asker {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let current = new AbortController();

  function stop() {
    clearTimeout(timer);
    current.abort();
  }

  function ask(text: string) {
    stop();
    current = new AbortController();
    const { signal } = current;
    timer = setTimeout(() => {
      getSuggestions(text, signal)
        .then((suggestions) => signal.aborted || onAnswer(text, suggestions))
        // Too many questions, no connection: the box works without an answer.
        .catch(() => undefined);
    }, PAUSE_MS);
  }

  return { ask, stop };
}

type Handlers = { onInput: () => void; onKey: (event: KeyboardEvent) => void; onLeave: () => void };

/** The box belongs to another component, so it is listened to rather than drawn. Returns the way to stop. */
function listen(box: HTMLInputElement, { onInput, onKey, onLeave }: Handlers): () => void {
  const { form } = box;
  box.addEventListener('input', onInput);
  box.addEventListener('keydown', onKey);
  box.addEventListener('blur', onLeave);
  form?.addEventListener('submit', onLeave);
  return () => {
    box.removeEventListener('input', onInput);
    box.removeEventListener('keydown', onKey);
    box.removeEventListener('blur', onLeave);
    form?.removeEventListener('submit', onLeave);
  };
}

/** Keeps the list for what is typed, and follows the keys; `choose` is told which entry Enter means. */
export function useSuggestions(
  input: RefObject<HTMLInputElement | null>,
  choose: (index: number) => void,
): Suggested & { close: () => void } {
  const [state, dispatch] = useReducer(changed, NOTHING);
  const latest = useRef({ state, choose });
  const asker = useRef<Asker | null>(null);

  // Before anything of it is seen: a key pressed at once must find the list that it was pressed for.
  useLayoutEffect(() => {
    latest.current = { state, choose };
  });

  function close() {
    asker.current?.stop();
    dispatch({ type: 'closed' });
  }

  function onKey(event: KeyboardEvent) {
    const { isOpen, active, suggestions } = latest.current.state;
    const to = target(event.key, latest.current.state);
    if (event.isComposing) return;
    if (isOpen && event.key === 'Escape') close();
    else if (isOpen && event.key === 'Enter' && active !== null) latest.current.choose(active);
    else if (to !== undefined && suggestions.length > 0)
      dispatch(isOpen ? { type: 'moved', to } : { type: 'opened' });
    else return;
    event.preventDefault();
  }

  function onInput() {
    const text = input.current?.value.trim() ?? '';
    dispatch({ type: 'typed', text });
    if (text === '') asker.current?.stop();
    else asker.current?.ask(text);
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: the handlers read what is latest, the box stays
  useEffect(() => {
    const box = input.current;
    if (!box) return undefined;
    asker.current = makeAsker((text, suggestions) => dispatch({ type: 'answered', text, suggestions }));
    const stopListening = listen(box, { onInput, onKey, onLeave: close });
    // What was typed before this code was there.
    if (box.value !== box.defaultValue) onInput();
    return () => {
      stopListening();
      asker.current?.stop();
    };
  }, [input]);

  return { ...state, close };
}
