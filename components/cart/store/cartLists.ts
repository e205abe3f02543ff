import type { CartLine } from '../../model/cartLine';
import type { CartLists } from './cartStore';

/** Changes of a cart's lists that give the same result when they are applied twice. */
export function withQuantity(cart: CartLists, id: number, quantity: number): CartLists {
  return { ...cart, lines: cart.lines.map((line) => (line.id === id ? { ...line, quantity } : line)) };
}

export function withoutLine(cart: CartLists, id: number): CartLists {
  return { lines: without(cart.lines, id), saved: without(cart.saved, id) };
}

/** The line in the cart: in the place that it has, else at `place`, else at the end. */
export function withLine({ lines, saved }: CartLists, line: CartLine, place?: number): CartLists {
  const own = lines.findIndex(({ id }) => id === line.id);
  const others = without(lines, line.id);
  const at = own >= 0 ? own : (place ?? others.length);
  return { lines: [...others.slice(0, at), line, ...others.slice(at)], saved: without(saved, line.id) };
}

export function withSavedLine({ lines, saved }: CartLists, line: CartLine): CartLists {
  return { lines: without(lines, line.id), saved: [...without(saved, line.id), line] };
}

const without = (lines: readonly CartLine[], id: number) => lines.filter((line) => line.id !== id);
