import { type RefObject, useEffect, useLayoutEffect, useReducer, useRef } from 'react';
import { getSuggestions, type Suggestion } from '../../api/search';
import { stillMatching } from './suggestionRules';

/** The text of the box, its suggestions, whether the list is visible, and the active entry. */
export type SuggestionState = {
  typed: string;
  suggestions: Suggestion[];
  isOpen: boolean;
  active: number | null;
};

type Change =
  | { type: 'typed'; text: string }
  | { type: 'answered'; text: string; suggestions: Suggestion[] }
  | { type: 'opened' }
  | { type: 'closed' }
  | { type: 'moved'; to: number | null };

// A shorter pause sends a request per letter, a longer one feels slow.
export const DEBOUNCE_MS = 120;
// Later suggestions are of no use. After it the box works without them.
const TIMEOUT_MS = 5_000;

const NO_SUGGESTIONS: SuggestionState = { typed: '', suggestions: [], isOpen: false, active: null };

/** Where the active entry stands in a later answer: an answer must not take back what the visitor has chosen. */
function sameEntry({ suggestions, active }: SuggestionState, later: Suggestion[]): number | null {
  const href = active === null ? undefined : suggestions[active]?.href;
  const position = later.findIndex((suggestion) => suggestion.href === href);
  return position === -1 ? null : position;
}

function reduce(state: SuggestionState, change: Change): SuggestionState {
  switch (change.type) {
    case 'typed': {
      const suggestions = change.text === '' ? [] : stillMatching(state.suggestions, change.text);
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
        active: sameEntry(state, change.suggestions),
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
function target(key: string, { suggestions, active }: SuggestionState): number | null | undefined {
  const last = suggestions.length - 1;
  if (key === 'ArrowDown') return active === null ? 0 : active === last ? null : active + 1;
  if (key === 'ArrowUp') return active === null ? last : active === 0 ? null : active - 1;
  if (active === null) return undefined;
  if (key === 'Home') return 0;
  return key === 'End' ? last : undefined;
}

type SuggestionFetcher = { ask: (text: string) => void; stop: () => void };

/** Fetches after a pause in typing; a response for an older text is ignored. */
function createFetcher(onAnswer: (text: string, suggestions: Suggestion[]) => void): SuggestionFetcher {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let current = new AbortController();

  function stop() {
    clearTimeout(timer);
    current.abort();
  }

  function request(text: string) {
    stop();
    current = new AbortController();
    const { signal } = current;
    timer = setTimeout(() => {
      timer = setTimeout(() => current.abort(), TIMEOUT_MS);
      getSuggestions(text, signal)
        .then((suggestions) => signal.aborted || onAnswer(text, suggestions))
        // Rate limited or offline: the box works without suggestions.
        .catch(() => undefined);
    }, DEBOUNCE_MS);
  }

  return { ask: request, stop };
}

type Handlers = { onInput: () => void; onKey: (event: KeyboardEvent) => void; onLeave: () => void };

/** Adds listeners, because another component renders the box. Returns a function that removes them. */
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

/** The list for the typed text, with keyboard control; `choose` gets the index of the entry on Enter. */
export function useSuggestions(
  input: RefObject<HTMLInputElement | null>,
  choose: (index: number) => void,
): SuggestionState & { close: () => void } {
  const [state, dispatch] = useReducer(reduce, NO_SUGGESTIONS);
  const latest = useRef({ state, choose });
  const fetcher = useRef<SuggestionFetcher | null>(null);

  // A layout effect: a key pressed at once must act on the list that is visible.
  useLayoutEffect(() => {
    latest.current = { state, choose };
  });

  function close() {
    fetcher.current?.stop();
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
    if (text === '') fetcher.current?.stop();
    else fetcher.current?.ask(text);
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: the handlers read the latest state, the box stays
  useEffect(() => {
    const box = input.current;
    if (!box) return undefined;
    fetcher.current = createFetcher((text, suggestions) => dispatch({ type: 'answered', text, suggestions }));
    const stopListening = listen(box, { onInput, onKey, onLeave: close });
    // Text that was typed before this code was loaded.
    if (box.value !== box.defaultValue) onInput();
    return () => {
      stopListening();
      fetcher.current?.stop();
    };
  }, [input]);

  return { ...state, close };
}
