import { type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react';
import { onClickOutside } from '../../browser/onClickOutside';
import { Icon, type IconName } from '../Icon';

/** A link or an action. */
export type MenuItem = { text: string; icon?: IconName; href?: string; onPress?: () => void };

type MenuProps = {
  label: string;
  items: MenuItem[];
  onClose: () => void;
  /** Above the items. */
  children?: ReactNode;
};

const STEPS: Record<string, (place: number, count: number) => number> = {
  ArrowDown: (place, count) => (place + 1) % count,
  ArrowUp: (place, count) => (place - 1 + count) % count,
  Home: () => 0,
  End: (_, count) => count - 1,
};

/**
 * A menu that is open while it is rendered, beside its opener, the element with aria-expanded in the same parent. Arrow
 * keys move in it; Esc, a choice and whatever happens outside close it. Links alone are a navigation. Its style sheet is menu.css.
 */
export function Menu({ label, items, onClose, children }: MenuProps) {
  const menu = useRef<HTMLDivElement & HTMLElement>(null);
  const close = useRef(onClose);
  close.current = onClose;

  useEffect(() => {
    choicesOf(menu.current)[0]?.focus();
    const corner = menu.current?.parentElement;
    if (!corner) return;
    return onClickOutside(corner, (byKey) => {
      close.current();
      if (byKey) corner.querySelector<HTMLElement>('[aria-expanded]')?.focus();
    });
  }, []);

  function move(event: KeyboardEvent<HTMLElement>) {
    const step = STEPS[event.key];
    if (!step) return;
    event.preventDefault();
    const choices = choicesOf(event.currentTarget);
    const place = choices.findIndex((choice) => choice.contains(event.target as Element));
    choices[step(place, choices.length)]?.focus();
  }

  const Frame = items.every(({ href }) => href !== undefined) ? 'nav' : 'div';
  return (
    <Frame
      ref={menu}
      className="menu panel"
      role={Frame === 'div' ? 'group' : undefined}
      aria-label={label}
      onKeyDown={move}
    >
      {children}
      <ul className="menu__items">
        {items.map((item) => (
          <li key={item.text}>
            <MenuChoice item={item} onClose={onClose} />
          </li>
        ))}
      </ul>
    </Frame>
  );
}

function MenuChoice({
  item: { text, icon, href, onPress },
  onClose,
}: {
  item: MenuItem;
  onClose: () => void;
}) {
  const words = (
    <>
      {icon && <Icon name={icon} />}
      {text}
    </>
  );
  if (href !== undefined)
    return (
      <a className="menu__item" href={href} onClick={onClose}>
        {words}
      </a>
    );
  return (
    <button
      type="button"
      className="menu__item"
      onClick={({ currentTarget }) => {
        // The chosen item leaves with the menu: the focus goes back first, and what is done may move it on.
        currentTarget.closest('.menu')?.parentElement?.querySelector<HTMLElement>('[aria-expanded]')?.focus();
        onClose();
        onPress?.();
      }}
    >
      {words}
    </button>
  );
}

function choicesOf(menu: Element | null): HTMLElement[] {
  return [...(menu?.querySelectorAll<HTMLElement>('.menu__item') ?? [])];
}
