import type { Outcome } from './cartCalls';
import { get, post, put } from './client';
import type { ItemKind, Picture } from './pageProps';

/** docs/wire.md, "Calls of our own". `seenPrice` is what it cost when it was wished for or last looked at. */
export type Wish = {
  id: number;
  kind: 'course' | 'item';
  name: string;
  href: string;
  picture: Picture;
  category: { slug: string; name: string };
  itemKind: ItemKind | null;
  listPrice: number;
  price: number;
  seenPrice: number | null;
  /** False: no longer in the shop. */
  isSold: boolean;
  isOwned: boolean;
};

/** A guest's wish as this browser keeps it. */
export type KeptWish = { id: number; name: string; seenPrice: number };

type Seen = { id: number; seenPrice: number };
type Answer = { status: string; message: string };

export async function getWishes(): Promise<Wish[]> {
  return (await get<{ wishes: Wish[] }>('/wishlist')).wishes;
}

/** What a guest's wishes are and cost now. */
export async function lookAtWishes(wishes: readonly Seen[]): Promise<Wish[]> {
  return (await post<{ wishes: Wish[] }>('/wishlist/look', { wishes: wishes.map(seen) })).wishes;
}

export async function mergeWishes(wishes: readonly Seen[]): Promise<Wish[]> {
  return (await post<{ wishes: Wish[] }>('/wishlist/merge', { wishes: wishes.map(seen) })).wishes;
}

export async function putWish(id: number, wished: boolean): Promise<Outcome> {
  return outcomeOf(await put<Answer>(`/wishlist/${id}`, { wished }));
}

export async function moveWish(id: number): Promise<Outcome> {
  return outcomeOf(await post<Answer>('/wishlist/move', { id }));
}

function seen({ id, seenPrice }: Seen): Seen {
  return { id, seenPrice };
}

function outcomeOf(answer: Answer): Outcome {
  return { isDone: answer.status === 'success', message: answer.message };
}
