import { type RefObject, useEffect, useRef } from 'react';
import type { Suggestion } from '../api/suggestions';
import { plural } from '../ui/format';
import { Icon, type IconName } from '../ui/Icon';
import type { ListView } from './SearchBox';
import { pieces } from './suggestionRules';
import { useSuggestions } from './useSuggestions';

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

/** The list below the box, which keeps the focus. Entries are links: choosing one is a click on a link. */
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
    // Some browsers answer with a promise, which is no way to end an effect.
    entry(active)?.scrollIntoView?.({ block: 'nearest' });
  }, [active]);

  return (
    <>
      <p className="sr-only" role="status">
        {isOpen && `${suggestions.length} ${plural(suggestions.length, 'suggestion', 'suggestions')}`}
      </p>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the box has the keys */}
      <div
        ref={list}
        id={id}
        className="suggestions"
        role="listbox"
        aria-label="Suggestions"
        hidden={!isOpen}
        onClick={close}
        // The box must not lose the focus to the entry that is about to be clicked.
        onPointerDown={(event) => event.preventDefault()}
      >
        {suggestions.map((one, index) => (
          <a
            key={`${one.kind} ${one.href}`}
            id={`${id}-${index}`}
            className={index === active ? 'suggestion suggestion--active' : 'suggestion'}
            role="option"
            aria-selected={index === active}
            tabIndex={-1}
            href={one.href}
          >
            <Icon name={ICONS[one.kind]} />
            <span className="suggestion__text">
              {pieces(one.text, typed).map(({ text, isTyped, at }) =>
                isTyped ? <span key={at}>{text}</span> : <b key={at}>{text}</b>,
              )}
            </span>
            <span className="suggestion__kind">{KINDS[one.kind]}</span>
          </a>
        ))}
      </div>
    </>
  );
}
