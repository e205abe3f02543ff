import type { MouseEvent, ReactNode } from 'react';
import { useAuth, useSession } from '../../api/auth';
import { useShop } from '../../api/site';
import { returnAddress } from '../../browser/address';
import { requiresAuthCheck } from '../../model/servedPages';

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
 * Links to the sign-in or to the account, and greets the learner once the session is known. The server renders it signed out for everyone; both labels fit its space.
 * Pages that wait for the authentication check have both links until then: without script, and before it has loaded,
 * header-actions.css shows the right one, because the host says on #root whether somebody is signed in.
 */
export function AccountLink({ className, render = (word) => word, onOpen, isOpen }: AccountLinkProps) {
  const { learner, isChecked } = useAuth();
  const { page } = useShop();
  const [firstName] = useSession()?.learner.name.split(' ') ?? [];
  const hasBoth = !isChecked && page !== undefined && requiresAuthCheck(page.page);
  return (
    <>
      <a
        className={hasBoth ? `${className} account-link--signed-out` : className}
        href={learner ? '/profile' : '/login'}
        aria-expanded={learner ? isOpen : undefined}
        onClick={learner ? onOpen : addReturnTo}
      >
        {render(learner ? (firstName ? `Hi, ${firstName}` : 'Account') : 'Sign in')}
        {learner && firstName && <span className="sr-only">, your account</span>}
      </a>
      {hasBoth && (
        <a className={`${className} account-link--signed-in`} href="/profile">
          {render('Account')}
        </a>
      )}
    </>
  );
}

/** The return address is added on click: cached pages are the same at every address. */
function addReturnTo({ currentTarget }: MouseEvent<HTMLAnchorElement>): void {
  currentTarget.href = `/login?returnTo=${encodeURIComponent(returnAddress())}`;
}
