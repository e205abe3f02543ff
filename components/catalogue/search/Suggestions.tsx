import { type RefObject, useEffect, useRef } from 'react';
import type { Suggestion } from '../../api/search';
import { plural } from '../../format/format';
import { Icon, type IconName } from '../../ui/Icon';
import { pieces } from './suggestionRules';
import { useSuggestions } from './useSuggestions';

/** The state of the list for assistive technology: whether it is open, and the id of the active entry. */
export type ListView = { isOpen: boolean; activeId: string | null };

export type SuggestionsProps = {
  input: RefObject<HTMLInputElement | null>;
  id: string;
  onChange: (view: ListView) => void;
};

const ICONS: Record<Suggestion['kind'], IconName> = {
  query: 'search',
  category: 'tag',
  course: 'play',
  item: 'book',
};
const KINDS: Record<Suggestion['kind'], string> = {
  query: 'Search',
  category: 'Subject',
  course: 'Course',
  item: 'Material',
};

/** The list below the box; the box keeps the focus. Entries are links: choosing one clicks its link. */
export function Suggestions({ input, id, onChange }: SuggestionsProps) {
  const list = useRef<HTMLDivElement>(null);
  const entry = (index: number | null) => (index === null ? null : list.current?.children.item(index));
  const { typed, suggestions, isOpen, active, close } = useSuggestions(input, (index) => {
    (entry(index) as HTMLElement | null)?.click();
  });
  const activeId = active === null ? null : `${id}-${active}`;

  useEffect(() => onChange({ isOpen, activeId }), [isOpen, activeId, onChange]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: an entry is brought into view when it is chosen
  useEffect(() => {
    // Some browsers return a promise, which an effect must not return.
    entry(active)?.scrollIntoView?.({ block: 'nearest' });
  }, [active]);

  return (
    <>
      <p className="sr-only" role="status">
        {isOpen && `${suggestions.length} ${plural(suggestions.length, 'suggestion', 'suggestions')}`}
      </p>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the box handles the keys */}
      <div
        ref={list}
        id={id}
        className="suggestions panel"
        role="listbox"
        aria-label="Suggestions"
        hidden={!isOpen}
        onClick={close}
        // The box must not lose the focus to the entry that is about to be clicked.
        onPointerDown={(event) => event.preventDefault()}
      >
        {suggestions.map((suggestion, index) => (
          <a
            key={`${suggestion.kind} ${suggestion.href}`}
            id={`${id}-${index}`}
            className={index === active ? 'suggestion suggestion--active' : 'suggestion'}
            role="option"
            aria-selected={index === active}
            tabIndex={-1}
            href={suggestion.href}
          >
            <Icon name={ICONS[suggestion.kind]} />
            <span className="suggestion__text">
              {pieces(suggestion.text, typed).map(({ text, isTyped, at }) =>
                isTyped ? <span key={at}>{text}</span> : <b key={at}>{text}</b>,
              )}
            </span>
            <span className="suggestion__kind">{KINDS[suggestion.kind]}</span>
          </a>
        ))}
      </div>
    </>
  );
}
