import type { QuotedLine, ServerCart } from '../api/cartCalls';
import type { CartLine } from '../api/cartLines';
import type { Wish } from '../api/wishlist';

/** Carts and wishes for the component page and the tests, as samples.tsx has pages. */
const picture = {
  src: '/pictures/course/tax/payroll-basics/0.svg',
  width: 800,
  height: 450,
  alt: 'A ledger',
};
const category = { slug: 'tax', name: 'Tax' };

export function cartLine(given: Partial<CartLine> = {}): CartLine {
  return {
    id: 1,
    name: 'Payroll Basics',
    price: 10000,
    discountPrice: null,
    quantity: 1,
    discount: null,
    discountCode: null,
    status: 'local',
    ...given,
  };
}

export function quotedLine(given: Partial<QuotedLine> = {}): QuotedLine {
  const { id = 1, quantity = 1, listPrice = 10000, salePrice = null } = given;
  const unit = salePrice ?? listPrice;
  const list = { step: 'list', name: '', change: 0, total: listPrice * quantity } as const;
  const sale = {
    step: 'sale',
    name: '',
    change: (unit - listPrice) * quantity,
    total: unit * quantity,
  } as const;
  return {
    id,
    kind: 'course',
    name: 'Payroll Basics',
    href: '/course-details?course=payroll-basics',
    picture,
    category,
    itemKind: null,
    quantity,
    stock: null,
    listPrice,
    salePrice,
    unitPrice: unit,
    unitOff: null,
    code: null,
    seenPrice: null,
    steps: unit === listPrice ? [list] : [list, sale],
    losers: [],
    total: unit * quantity,
    ...given,
  };
}

export function serverCart(given: Partial<ServerCart> = {}): ServerCart {
  const { lines = [] } = given;
  const total = lines.reduce((whole, line) => whole + line.total, 0);
  const subtotal = lines.reduce((whole, line) => whole + line.unitPrice * line.quantity, 0);
  const sums = { subtotal, discount: subtotal - total, tax: 0, total };
  return { lines, saved: [], missing: [], coupon: null, refusals: [], ...sums, ...given };
}

/** What the browser keeps of lines that the server has priced. */
export function keptLines(lines: readonly QuotedLine[]): CartLine[] {
  return lines.map((line) =>
    cartLine({
      id: line.id,
      name: line.name,
      price: line.listPrice,
      discountPrice: line.unitPrice === line.listPrice ? null : line.unitPrice,
      quantity: line.quantity,
      discount: line.unitOff,
      discountCode: line.code,
    }),
  );
}

export function wish(given: Partial<Wish> = {}): Wish {
  return {
    id: 1,
    kind: 'course',
    name: 'Payroll Basics',
    href: '/course-details?course=payroll-basics',
    picture,
    category,
    itemKind: null,
    listPrice: 10000,
    price: 10000,
    seenPrice: null,
    isSold: true,
    isOwned: false,
    ...given,
  };
}
