import { isServed } from '../model/servedPages';
import { EmptyState } from '../ui/EmptyState';

const LINKS = [
  { href: '/shop', text: 'Browse the catalogue' },
  ...(isServed('wishlist') ? [{ href: '/wishlist', text: 'Look at your wishlist' }] : []),
];

export function EmptyCart() {
  return (
    <EmptyState
      title="Your cart is empty"
      text="Courses you add wait here, also when you come back another day."
      links={LINKS}
    />
  );
}
