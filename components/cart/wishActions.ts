import { refreshAuth } from '../api/auth';
import { type KeptWish, moveWish, putWish, type Wish } from '../api/wishlist';
import { notify } from '../ui/toasts';
import { addToCart, asked, type Product } from './cartActions';
import { currentCart } from './cartStore';
import { askForPrices } from './quoteStore';
import { accountWishes, setAccountWishes, setKeptWishes } from './wishStore';
import { added } from './words';

/** Wishes for something, or no longer. True when it is done. */
export async function changeWish({ id, name, price }: Product, wished: boolean): Promise<boolean> {
  if (refreshAuth().learner) {
    const outcome = await asked(() => putWish(id, wished), 'Your wishlist');
    if (!outcome?.isDone) {
      if (outcome) await notify('error', outcome.message);
      return false;
    }
    const others = [...(accountWishes() ?? [])].filter((one) => one !== id);
    setAccountWishes(wished ? [...others, id] : others);
  } else {
    const wish: KeptWish = { id, name, seenPrice: price };
    setKeptWishes((wishes) => [...wishes.filter((one) => one.id !== id), ...(wished ? [wish] : [])]);
  }
  void notify(wished ? 'success' : 'info', `${name} ${wished ? 'added to' : 'removed from'} your wishlist`);
  return true;
}

/** From the wishlist to the cart; it stays a wish when the cart does not take it. */
export async function moveToCart(wish: Wish): Promise<void> {
  if (refreshAuth().learner) {
    const outcome = await asked(() => moveWish(wish.id));
    if (!outcome) return;
    if (!outcome.isDone) return notify('error', outcome.message);
    setAccountWishes([...(accountWishes() ?? [])].filter((id) => id !== wish.id));
    await askForPrices();
    return notify('success', added(wish.name));
  }
  await addToCart({ ...wish, isItem: wish.kind === 'item' }, 1);
  if (currentCart().lines.some((line) => line.id === wish.id))
    setKeptWishes((wishes) => wishes.filter((one) => one.id !== wish.id));
}
