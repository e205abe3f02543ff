import { EmptyState } from '../ui/EmptyState';

export function EmptyCart() {
  return (
    <EmptyState
      title="Your cart is empty"
      text="Courses you add wait here, also when you come back another day."
      other={{ id: 'wishlist', href: '/wishlist', text: 'Look at your wishlist' }}
    />
  );
}
