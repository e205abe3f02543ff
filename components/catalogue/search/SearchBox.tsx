import { type ComponentType, useCallback, useEffect, useRef, useState } from 'react';
import { Icon } from '../ui/Icon';
import type { SuggestionsProps } from './Suggestions';

/** What assistive technology hears of the list: whether it is open, and which of its entries is chosen. */
export type ListView = { isOpen: boolean; activeId: string | null };

type SearchBoxProps = {
  /** Where it stands; there is one of each on a page. */
  place: 'header' | 'hero' | 'page';
  query?: string;
};

const CLOSED: ListView = { isOpen: false, activeId: null };

/** A plain form that leads to /search. Suggestions are code of their own, loaded when the box is first used. */
export function SearchBox({ place, query = '' }: SearchBoxProps) {
  const input = useRef<HTMLInputElement>(null);
  const [Suggestions, setSuggestions] = useState<ComponentType<SuggestionsProps> | null>(null);
  const [list, setList] = useState(CLOSED);
  const id = `search-${place}`;

  const load = useCallback(() => {
    // Without them the box is still a box: a chunk that cannot be had is nothing to report.
    import('./Suggestions').then((module) => setSuggestions(() => module.Suggestions)).catch(() => undefined);
  }, []);

  // The visitor may have been quicker than this code.
  useEffect(() => {
    if (input.current?.matches(':focus')) load();
  }, [load]);

  return (
    <search className={`search-box search-box--${place}`}>
      <form className="search-box__form" action="/search" method="get" data-navigate="">
        <label className="sr-only" htmlFor={id}>
          Search courses and materials
        </label>
        <input
          ref={input}
          id={id}
          className="search-box__input"
          type="text"
          name="q"
          defaultValue={query}
          placeholder="Search courses and materials"
          maxLength={200}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          enterKeyHint="search"
          role="combobox"
          aria-autocomplete="list"
          aria-expanded={list.isOpen}
          aria-controls={`${id}-list`}
          aria-activedescendant={list.activeId ?? undefined}
          onFocus={Suggestions ? undefined : load}
        />
        <button type="submit" className="search-box__button">
          <Icon name="search" />
          <span className="search-box__word">Search</span>
        </button>
        {Suggestions && <Suggestions input={input} id={`${id}-list`} onChange={setList} />}
      </form>
    </search>
  );
}
