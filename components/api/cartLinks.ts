import type { CartLink, MergedCart } from '../contracts/schema';
import type { RequestedLine } from './cart';
import { post } from './client';

/** A link that shows these lines, and the cart's coupon, on another device. */
export function createCartLink(lines: readonly RequestedLine[]): Promise<CartLink> {
  return post('/cart/links', { lines });
}

/** Adds the lines of a link to the account's cart. `cartToken`: of the link, which may keep its prices; "" for none. */
export function mergeLink(lines: readonly RequestedLine[], cartToken: string): Promise<MergedCart> {
  return post('/cart/merge', cartToken ? { lines, cartToken } : { lines });
}
