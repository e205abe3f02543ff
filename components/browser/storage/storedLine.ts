import { type CartLine, idOf, type LineStatus, quantityOf } from '../../model/cartLine';
import { majorOf, minorOf } from '../../model/money';
import { siteCurrency } from './siteCurrency';

/** The cart item of specification §3, in browser storage and on the wire: -1 means none. */
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

const MAX_NAME_LENGTH = 300;
const MAX_CODE_LENGTH = 64;
const FLAGS: LineStatus[] = ['local', 'registered', 'refused'];

/** A line from a stored value, or null when it is invalid. Missing fields get their defaults. */
export function readLine(value: unknown): CartLine | null {
  if (typeof value !== 'object' || value === null) return null;
  const fields = value as Partial<Record<keyof WireLine, unknown>>;
  const id = idOf(fields.ID);
  const currency = siteCurrency();
  const price = minorOf(fields.Price, currency);
  const name = textOf(fields.Name, MAX_NAME_LENGTH);
  if (id === null || price === null || !name) return null;
  return {
    id,
    name,
    price,
    discountPrice: minorOf(fields.DiscountPrice, currency),
    quantity: quantityOf(fields.orderQuantity),
    discount: minorOf(fields.orderDiscount, currency),
    discountCode: textOf(fields.orderDiscountCode, MAX_CODE_LENGTH) || null,
    status: FLAGS[Number(fields.checkflag)] ?? 'local',
  };
}

export function writeLine(line: CartLine): WireLine {
  const major = (minor: number | null) => (minor === null ? -1 : majorOf(minor, siteCurrency()));
  return {
    ID: line.id,
    Name: line.name,
    Price: major(line.price),
    DiscountPrice: major(line.discountPrice),
    orderQuantity: line.quantity,
    orderDiscount: major(line.discount),
    orderDiscountCode: line.discountCode ?? '',
    checkflag: FLAGS.indexOf(line.status),
  };
}

/** Without control characters: no name has them, and some terminals and logs execute them. */
function textOf(value: unknown, maxLength: number): string {
  if (typeof value !== 'string') return '';
  return value
    .replace(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, maxLength);
}
