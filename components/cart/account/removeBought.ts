import { refreshAuth } from '../../api/auth';
import { writeCouponInfo } from '../../browser/storage/couponStorage';
import { resetQuote } from '../store/quoteStore';
import { clearRemoved } from '../store/removedStore';
import { changeStored } from '../store/storedCart';
import { fetchCart } from './accountCart';

/**
 * After an order is paid, its lines and the cart's coupon leave this browser. `ids`: the products that were bought; null
 * when nobody is signed in: then all that the server had registered, because only an account can order. The account's
 * own cart has lost them already.
 */
export async function removeBought(ids: readonly (number | null)[] | null): Promise<void> {
  changeStored(({ lines, saved }) => ({
    lines: lines.filter(({ id, status }) => (ids ? !ids.includes(id) : status !== 'registered')),
    saved,
  }));
  clearRemoved();
  resetQuote();
  writeCouponInfo(null);
  // Without an answer the next page fetches it.
  if (refreshAuth().learner) await fetchCart().catch(() => undefined);
}
