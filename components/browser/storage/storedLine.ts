import { majorOf, minorOf } from './wireMoney';

/** Where a line stands with the server: only in this browser, registered, or refused while merging at sign-in. */
export type LineStatus = 'local' | 'registered' | 'refused';

/** A course or shop item in the cart. Money in minor units; null where there is none. */
export type CartLine = {
  id: number;
  name: string;
  /** What one costs by the list. */
  price: number;
  /** What one costs after sale and the line's code; 0 is a price. */
  discountPrice: number | null;
  quantity: number;
  /** What the line's code takes off one; told, never subtracted again. */
  discount: number | null;
  discountCode: string | null;
  status: LineStatus;
};

/** The cart item of specification §3, as it stands in browser storage and on the wire: -1 means none. */
export type WireLine = {
  ID: number;
  Name: string;
  Price: number;
  DiscountPrice: number;
  orderQuantity: number;
  orderDiscount: number;
  orderDiscountCode: string;
  checkflag: number;
};

export const MOST_OF_ONE = 99;
const LONGEST_NAME = 300;
const LONGEST_CODE = 64;
const FLAGS: LineStatus[] = ['local', 'registered', 'refused'];

/** A line of whatever stood there, or null when it cannot be one. What is missing gets its default. */
export function readLine(value: unknown): CartLine | null {
  if (typeof value !== 'object' || value === null) return null;
  const given = value as Partial<Record<keyof WireLine, unknown>>;
  const id = idOf(given.ID);
  const price = minorOf(given.Price);
  const name = textOf(given.Name, LONGEST_NAME);
  if (id === null || price === null || !name) return null;
  return {
    id,
    name,
    price,
    discountPrice: minorOf(given.DiscountPrice),
    quantity: quantityOf(given.orderQuantity),
    discount: minorOf(given.orderDiscount),
    discountCode: textOf(given.orderDiscountCode, LONGEST_CODE) || null,
    status: FLAGS[Number(given.checkflag)] ?? 'local',
  };
}

export function writeLine(line: CartLine): WireLine {
  return {
    ID: line.id,
    Name: line.name,
    Price: majorOf(line.price),
    DiscountPrice: line.discountPrice === null ? -1 : majorOf(line.discountPrice),
    orderQuantity: line.quantity,
    orderDiscount: line.discount === null ? -1 : majorOf(line.discount),
    orderDiscountCode: line.discountCode ?? '',
    checkflag: FLAGS.indexOf(line.status),
  };
}

/** Ids come as numbers or as strings of digits. */
export function idOf(value: unknown): number | null {
  const id = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value;
  return typeof id === 'number' && Number.isSafeInteger(id) && id > 0 ? id : null;
}

export function quantityOf(value: unknown): number {
  const quantity = idOf(value);
  return quantity === null ? 1 : Math.min(quantity, MOST_OF_ONE);
}

/** Without control characters, which no name of ours holds and some terminals and logs obey. */
function textOf(value: unknown, longest: number): string {
  if (typeof value !== 'string') return '';
  return value
    .replace(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, longest);
}
