import { useAuth } from '../../api/auth';
import { useShop } from '../../api/site';
import { requiresAuthCheck } from '../../model/servedPages';

/** What a signed-in learner finds in the menu of narrow screens, beside the account. */
export const OWN_LINKS = [
  ['Orders', '/user-dashboard?list=orders'],
  ['Certificates', '/user-dashboard?list=certificates'],
  ['Sign out', '/logout'],
] as const;

/**
 * The class of what the header has for signed-in learners alone; null: they are not drawn. Pages that wait for the
 * authentication check draw it at once, and header-actions.css hides it from others.
 */
export function useOwnClass(): string | null {
  const { learner, isChecked } = useAuth();
  const { page } = useShop();
  if (learner) return '';
  return !isChecked && page !== undefined && requiresAuthCheck(page.page) ? 'account-link--signed-in' : null;
}
