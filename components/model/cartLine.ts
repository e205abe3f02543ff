/** State of a line on the server: only in this browser, registered, or refused while merging at sign-in. */
export type LineStatus = 'local' | 'registered' | 'refused';

/** A course or shop item in the cart. Money in minor units; null where there is none. */
export type CartLine = {
  id: number;
  name: string;
  /** List price of one unit. */
  price: number;
  /** Price of one unit after sale and the line's code; 0 is a price. */
  discountPrice: number | null;
  quantity: number;
  /** The discount of the line's code per unit; for display, already part of the price. */
  discount: number | null;
  discountCode: string | null;
  status: LineStatus;
};

export const MAX_QUANTITY = 99;

/** False for what is bought once: a course, and a bundle of courses. */
export function hasQuantity({ kind, itemKind }: { kind: string; itemKind?: string | null }): boolean {
  return kind === 'item' && itemKind !== 'bundle';
}

/** Ids are numbers or strings of digits. */
export function idOf(value: unknown): number | null {
  const id = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value;
  return typeof id === 'number' && Number.isSafeInteger(id) && id > 0 ? id : null;
}

export function quantityOf(value: unknown): number {
  const quantity = idOf(value);
  return quantity === null ? 1 : Math.min(quantity, MAX_QUANTITY);
}
