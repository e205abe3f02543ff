import type { AdminOrderProps, AdminRefund } from '../../contracts/schema';
import type { FieldErrors } from '../../forms/call/callOutcome';
import { textOf } from '../../forms/call/formValues';

type RefundLine = AdminOrderProps['refundLines'][number];
export type RefundValues = Pick<AdminRefund, 'reason'> &
  Required<Pick<AdminRefund, 'keepsAccess' | 'restocks'>> & {
    /** What is typed, by line number. */
    units: Map<number, string>;
  };

export const unitsField = (number: number) => `line.${number}`;

export function readRefund(data: FormData, lines: RefundLine[]): RefundValues {
  return {
    units: new Map(lines.map(({ number }) => [number, textOf(data, unitsField(number))])),
    keepsAccess: data.has('keepsAccess'),
    restocks: data.has('restocks'),
    reason: textOf(data, 'reason'),
  };
}

/** The lines of which units are chosen. */
export function chosenLines({ units }: RefundValues): AdminRefund['lines'] {
  return [...units].flatMap(([number, text]) => {
    const quantity = Number(text);
    return quantity > 0 ? [{ number, quantity }] : [];
  });
}

/** Errors by field: of units that are no number or too many, of nothing chosen, and of a missing reason. */
export function refundErrors(values: RefundValues, lines: RefundLine[]): FieldErrors {
  const errors: Record<string, string> = {};
  for (const { number, quantity } of lines) {
    const text = values.units.get(number) ?? '';
    if (!/^\d{0,6}$/.test(text) || Number(text) > quantity)
      errors[unitsField(number)] = `Enter a whole number up to ${quantity}.`;
  }
  if (Object.keys(errors).length === 0 && chosenLines(values).length === 0)
    errors.form = 'Enter how many units of a line to refund.';
  if (!values.reason) errors.reason = 'Say why, for the record.';
  return errors;
}
