import { useState } from 'react';
import { Icon } from '../Icon';
import { Menu, type MenuItem } from './Menu';

type MenuButtonProps = { text: string; items: MenuItem[] };

/** A button with a menu below it. */
export function MenuButton({ text, items }: MenuButtonProps) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <div className="menu-button">
      <button
        type="button"
        className="button button--quiet"
        aria-expanded={isOpen}
        onClick={() => setIsOpen(!isOpen)}
      >
        {text}
        <Icon name="chevron" />
      </button>
      {isOpen && <Menu label={text} items={items} onClose={() => setIsOpen(false)} />}
    </div>
  );
}
