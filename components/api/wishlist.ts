import type { OutcomeSchema, Wishlist, WishlistEntrySchema } from '../contracts/schema';
import type { WishlistItem } from '../model/wishlistItem';
import type { Outcome } from './cart';
import { get, post, put } from './client';

type Seen = { id: number; seenPrice: number };

// A change is sent also when the page is left meanwhile.
const CHANGE = { keepalive: true };

export async function getWishlist(): Promise<WishlistItem[]> {
  return (await get<Wishlist>('/wishlist')).items;
}

/** Current data and prices of a guest's wishlist. */
export async function previewWishlist(items: readonly Seen[]): Promise<WishlistItem[]> {
  return (await post<Wishlist>('/wishlist/preview', { items: items.map(seenOf) })).items;
}

export async function mergeWishlist(items: readonly Seen[]): Promise<WishlistItem[]> {
  return (await post<Wishlist>('/wishlist/merge', { items: items.map(seenOf) })).items;
}

export async function putWishlistItem(id: number, wished: boolean): Promise<Outcome> {
  return outcomeOf(await put<OutcomeSchema>(`/wishlist/${id}`, { wished }, CHANGE));
}

export async function moveWishlistItem(id: number): Promise<Outcome> {
  return outcomeOf(await post<OutcomeSchema>('/wishlist/move', { id }, CHANGE));
}

function seenOf({ id, seenPrice }: Seen): WishlistEntrySchema {
  return { id, seenPrice };
}

function outcomeOf(result: OutcomeSchema): Outcome {
  return { isDone: result.status === 'success', message: result.message };
}
