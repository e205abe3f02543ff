import { serverNow } from '../../browser/session/session';
import { useShop } from '../site';

/** When the host made the data of the page on screen, by its clock in milliseconds. */
export function usePageTime(): number {
  const { page } = useShop();
  return page?.session ? Date.parse(page.session.now) : serverNow();
}
