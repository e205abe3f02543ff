import { getWishes, mergeWishes } from '../api/wishlist';
import { keptWishes, setAccountWishes, setKeptWishes } from './wishStore';

/** A guest's wishes join the account's; the browser forgets them once the account has them. */
export async function syncWishes(): Promise<void> {
  const kept = keptWishes();
  const wishes = kept.length > 0 ? await mergeWishes(kept) : await getWishes();
  setAccountWishes(wishes.map(({ id }) => id));
  if (kept.length > 0) setKeptWishes(() => []);
}
