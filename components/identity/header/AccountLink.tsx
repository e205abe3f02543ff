import type { MouseEvent, ReactNode } from 'react';
import { useAuth } from '../api/auth';
import { currentAddress } from '../browser/address';

type AccountLinkProps = {
  className: string;
  /** Around the word, where it stands beside a picture. */
  draw?: (word: string) => ReactNode;
  /** For a signed-in learner, in the place of going to the profile. */
  onOpen?: (event: MouseEvent) => void;
};

/** To the sign-in or to the account. The server draws it signed out for everyone, in a place that holds either word. */
export function AccountLink({ className, draw = (word) => word, onOpen }: AccountLinkProps) {
  const { learner } = useAuth();
  return (
    <a className={className} href={learner ? '/profile' : '/login'} onClick={learner ? onOpen : comeBackHere}>
      {draw(learner ? 'Account' : 'Sign in')}
    </a>
  );
}

/** Where to come back to is told when it is known: kept pages are the same at every address. */
function comeBackHere({ currentTarget }: MouseEvent<HTMLAnchorElement>): void {
  currentTarget.href = `/login?returnTo=${encodeURIComponent(currentAddress())}`;
}
