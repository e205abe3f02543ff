import { EmptyState } from '../ui/EmptyState';

const LINKS = [
  { href: '/shop', text: 'Browse the catalogue' },
  { href: '/cart', text: 'Look at your cart' },
];

export function EmptyCheckout() {
  return (
    <EmptyState
      title="There is nothing to order"
      text="Your cart is empty. What you put in it can be ordered here."
      links={LINKS}
    />
  );
}
