import menuStyles from '../../../static/css/menu.css?text';
import { useAuth, useSession } from '../../api/auth';
import { providerPage } from '../../api/identity';
import { Menu, type MenuItem } from '../../ui/controls/Menu';
import { useStyles } from '../../ui/useStyles';

const OWN: MenuItem[] = [
  { href: '/user-dashboard?list=orders', icon: 'receipt', text: 'Orders' },
  { href: '/user-dashboard?list=certificates', icon: 'award', text: 'Certificates' },
  { href: '/profile', icon: 'person', text: 'Profile' },
  { href: '/wishlist', icon: 'heart', text: 'Wishlist' },
];
const SIGN_OUT: MenuItem = { href: '/logout', icon: 'arrow', text: 'Sign out' };
// Entering one of them is a sign-in of its own, which ends the one before.
const AREAS = [
  { area: 'organisation', home: '/organization', text: 'My organisation', icon: 'people' },
  { area: 'admin', home: '/admin', text: 'Administration', icon: 'sliders' },
] as const;

/** The signed-in learner and the account's links. */
export function AccountMenu({ onClose }: { onClose: () => void }) {
  useStyles(menuStyles);
  const { learner } = useAuth();
  const session = useSession();
  const name = session?.learner.name;
  const areas = AREAS.filter(({ area }) => session?.areas.includes(area)).map(
    ({ area, home, text, icon }): MenuItem => ({
      href: providerPage({ returnTo: home, area }),
      icon,
      text,
    }),
  );
  if (!learner) return null;
  return (
    <Menu label="Account" items={[...OWN, ...areas, SIGN_OUT]} onClose={onClose}>
      <p className="menu__head hint">
        {name && <strong>{name}</strong>}
        <span>{learner.email}</span>
      </p>
    </Menu>
  );
}
