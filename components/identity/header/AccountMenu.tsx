import menuStyles from '../../../static/css/menu.css?text';
import { useAuth, useSession } from '../../api/auth';
import { Menu, type MenuItem } from '../../ui/controls/Menu';
import { useStyles } from '../../ui/useStyles';

const ITEMS: MenuItem[] = [
  { href: '/profile', icon: 'person', text: 'Profile' },
  { href: '/wishlist', icon: 'heart', text: 'Wishlist' },
  { href: '/logout', icon: 'arrow', text: 'Sign out' },
];

/** The signed-in learner and the account's links. */
export function AccountMenu({ onClose }: { onClose: () => void }) {
  useStyles(menuStyles);
  const { learner } = useAuth();
  const name = useSession()?.learner.name;
  if (!learner) return null;
  return (
    <Menu label="Account" items={ITEMS} onClose={onClose}>
      <p className="menu__head hint">
        {name && <strong>{name}</strong>}
        <span>{learner.email}</span>
      </p>
    </Menu>
  );
}
