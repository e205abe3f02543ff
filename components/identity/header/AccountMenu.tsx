import { useEffect, useRef } from 'react';
import { useLocation } from 'react-router-dom';
import menuStyles from '../../../static/css/account-menu.css?text';
import { useAuth, useSession } from '../../api/auth';
import { onClickOutside } from '../../browser/onClickOutside';
import { Icon } from '../../ui/Icon';
import { useStyles } from '../../ui/useStyles';

/** The signed-in learner and the account's links. Esc, a click elsewhere and a new page close it. */
export function AccountMenu({ onClose }: { onClose: () => void }) {
  useStyles(menuStyles);
  const { learner } = useAuth();
  const name = useSession()?.learner.name;
  const menu = useRef<HTMLElement>(null);
  const { pathname, search } = useLocation();
  const opened = useRef(pathname + search);
  const close = useRef(onClose);
  close.current = onClose;

  useEffect(() => {
    menu.current?.querySelector('a')?.focus();
    const corner = menu.current?.parentElement;
    if (!corner) return;
    return onClickOutside(corner, (byKey) => {
      close.current();
      if (byKey) corner.querySelector('a')?.focus();
    });
  }, []);

  useEffect(() => {
    if (pathname + search !== opened.current) close.current();
  }, [pathname, search]);

  if (!learner) return null;
  return (
    <nav ref={menu} className="account-menu panel" aria-label="Account">
      <p className="account-menu__learner hint">
        {name && <strong>{name}</strong>}
        <span>{learner.email}</span>
      </p>
      <ul>
        <MenuLink href="/profile" icon="person" text="Profile" />
        <MenuLink href="/wishlist" icon="heart" text="Wishlist" />
        <MenuLink href="/logout" icon="arrow" text="Sign out" />
      </ul>
    </nav>
  );
}

type MenuLinkProps = { href: string; icon: 'person' | 'heart' | 'arrow'; text: string };

function MenuLink({ href, icon, text }: MenuLinkProps) {
  return (
    <li>
      <a className="account-menu__link" href={href}>
        <Icon name={icon} />
        {text}
      </a>
    </li>
  );
}
