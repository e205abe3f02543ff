import type { MouseEvent, ReactNode } from 'react';
import { useAuth } from '../../api/auth';
import { currentAddress } from '../../browser/address';

type AccountLinkProps = {
  className: string;
  /** Renders the label beside an icon. */
  render?: (word: string) => ReactNode;
  /** For a signed-in learner, replaces the link to the profile. */
  onOpen?: (event: MouseEvent) => void;
  /** Whether what onOpen opens is open. */
  isOpen?: boolean;
};

/**
 * Links to the sign-in or to the account. The server renders it signed out for everyone; both labels fit its space.
 */
export function AccountLink({ className, render = (word) => word, onOpen, isOpen }: AccountLinkProps) {
  const { learner } = useAuth();
  return (
    <a
      className={className}
      href={learner ? '/profile' : '/login'}
      aria-expanded={learner ? isOpen : undefined}
      onClick={learner ? onOpen : addReturnTo}
    >
      {render(learner ? 'Account' : 'Sign in')}
    </a>
  );
}

/** The return address is added on click: cached pages are the same at every address. */
function addReturnTo({ currentTarget }: MouseEvent<HTMLAnchorElement>): void {
  currentTarget.href = `/login?returnTo=${encodeURIComponent(currentAddress())}`;
}
