import { countOf, useCart } from '../../cart/store/cartStore';
import type { LoginProps } from '../../contracts/schema';
import { SignInView } from '../../identity/SignInView';
import { useReturnTo } from '../../identity/useReturnTo';

/** `waiting`: what the host knows of the address to go back to; of a guest's cart this browser knows. */
export function LoginPage({ waiting = '' }: Partial<LoginProps>) {
  const kept = useKeptItems();
  return <SignInView area="learner" waiting={waiting || kept} />;
}

function useKeptItems(): string {
  const count = countOf(useCart().lines);
  const isBuying = /^\/(?:cart|checkout)(?:[/?#]|$)/.test(useReturnTo());
  if (!isBuying || count === 0) return '';
  return count === 1 ? 'Your item is kept.' : `Your ${count} items are kept.`;
}
