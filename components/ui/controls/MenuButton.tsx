import { useState } from 'react';
import { Icon } from '../Icon';
import { Menu, type MenuItem } from './Menu';

type MenuButtonProps = {
  text: string;
  items: MenuItem[];
  /** The accessible name, where the text alone is not clear. It begins with the text. */
  label?: string;
};

/** A button with a menu below it. */
export function MenuButton({ text, items, label }: MenuButtonProps) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <div className="menu-button">
      <button
        type="button"
        className="button button--quiet"
        aria-expanded={isOpen}
        aria-label={label}
        onClick={() => setIsOpen(!isOpen)}
      >
        {text}
        <Icon name="chevron" />
      </button>
      {isOpen && <Menu label={label ?? text} items={items} onClose={() => setIsOpen(false)} />}
    </div>
  );
}
