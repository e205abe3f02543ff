import type { CouponLabCart } from '../../contracts/schema';
import { instantOf } from '../../format/zonedTime';
import type { FieldErrors } from '../../forms/call/callOutcome';
import { textOf } from '../../forms/call/formValues';
import { ZONE } from '../actions/fieldValues';

type LabTexts = { cart: CouponLabCart; wrongLine: string | null };

/** "vat-basics 2 SPRING": a product, how many, and a code; the last two may be missing. */
const LINE = /^(\S+)(?:\s+(\d{1,4}))?(?:\s+(.{1,64}))?$/;

/** The cart, and the first line that cannot be read. */
export function readLab(data: FormData): LabTexts {
  const texts = textOf(data, 'lines')
    .split('\n')
    .map((text) => text.trim())
    .filter(Boolean);
  const matches = texts.map((text) => LINE.exec(text));
  const lines = matches.flatMap((match) =>
    match ? [{ product: match[1] ?? '', quantity: Number(match[2] ?? 1), code: match[3] ?? '' }] : [],
  );
  const cart: CouponLabCart = {
    lines,
    code: textOf(data, 'code'),
    organisation: textOf(data, 'organisation'),
    studentNumber: textOf(data, 'studentNumber'),
    at: instantOf(textOf(data, 'at'), ZONE),
  };
  return { cart, wrongLine: texts[matches.indexOf(null)] ?? null };
}

export function labErrors({ cart, wrongLine }: LabTexts): FieldErrors {
  const errors: Record<string, string> = {};
  if (wrongLine !== null) errors.lines = `“${wrongLine}” is not a product, a quantity and a code.`;
  else if (cart.lines.length === 0) errors.lines = 'Enter at least one product.';
  return errors;
}
