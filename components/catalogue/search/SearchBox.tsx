import { type ComponentType, useCallback, useEffect, useRef, useState } from 'react';
import { Icon } from '../../ui/Icon';
import { loadOrReload } from '../../ui/loading/lazyModule';
import type { ListView, SuggestionsProps } from './Suggestions';

type SearchBoxProps = {
  /** Position on the page; a page has at most one of each. */
  place: 'header' | 'hero' | 'page';
  query?: string;
};

const CLOSED: ListView = { isOpen: false, activeId: null };

/** A plain form that leads to /search. The suggestions are a chunk that loads on the first use of the box. */
export function SearchBox({ place, query = '' }: SearchBoxProps) {
  const input = useRef<HTMLInputElement>(null);
  const [Suggestions, setSuggestions] = useState<ComponentType<SuggestionsProps> | null>(null);
  const [list, setList] = useState(CLOSED);
  const id = `search-${place}`;

  const load = useCallback(() => {
    loadOrReload(import('./Suggestions')).then(
      (module) => setSuggestions(() => module.Suggestions),
      // The box works without suggestions.
      () => undefined,
    );
  }, []);

  // The visitor may have focused the box before this code was loaded.
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
          <span className={place === 'header' ? 'sr-only' : 'search-box__word'}>Search</span>
        </button>
        {Suggestions && <Suggestions input={input} id={`${id}-list`} onChange={setList} />}
      </form>
    </search>
  );
}
