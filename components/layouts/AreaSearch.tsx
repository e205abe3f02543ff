import { useEffect, useRef } from 'react';
import { useLocation } from 'react-router-dom';
import { onShortcut } from '../browser/windowEvents';
import { Icon } from '../ui/Icon';

// With a key of control: one key alone may be pressed by speech or by mistake, and somebody must be able to turn it off.
const LETTER = 'k';

/** Finds orders, learners, products, coupons and organisations; without script a form that leads to the same page. */
export function AreaSearch({ home }: { home: string }) {
  const field = useRef<HTMLInputElement>(null);
  const shown = useRef('');
  const { pathname, search } = useLocation();
  const path = `${home}/search`;
  const q = pathname === path ? (new URLSearchParams(search).get('q') ?? '') : '';

  // Not in the first render: the server renders the header for all addresses alike.
  useEffect(() => {
    if (field.current && q !== shown.current) field.current.value = q;
    shown.current = q;
  }, [q]);

  useEffect(
    () =>
      onShortcut(LETTER, () => {
        field.current?.focus();
        field.current?.select();
      }),
    [],
  );

  return (
    <search className="area-search">
      <form className="area-search__form" action={path} method="get" data-navigate="">
        <label className="sr-only" htmlFor="area-search">
          Search the area
        </label>
        <input
          ref={field}
          id="area-search"
          className="area-search__field"
          type="search"
          name="q"
          placeholder="Search"
          maxLength={254}
          autoComplete="off"
          spellCheck={false}
          aria-keyshortcuts="Control+K Meta+K"
          title="Search (Ctrl+K)"
        />
        <button type="submit" className="area-search__button">
          <Icon name="search" />
          <span className="sr-only">Search</span>
        </button>
      </form>
    </search>
  );
}
