import type { CurrencyProps } from '../../contracts/schema';
import type { Step } from '../priceSteps';
import { shareOf, sum } from './offers';

/** `percent` in thousandths of a percent, `label` its name on documents. */
export type TaxRate = { label: string; percent: number };
type RatesByClass = Record<string, TaxRate[]>;

/** As in domain/tax/context.py: `homeRates` are inside inclusive prices; the buyer owes the tax of `reverseCharge`. */
export type TaxTerms = {
  rates?: RatesByClass;
  homeRates?: RatesByClass;
  reverseCharge?: string[];
};
export type PriceMode = 'inclusive' | 'exclusive';

/** `included`: the tax that the price contains; missing for none. */
export type TaxStep = Step & { included?: number };

/** The steps of tax of a line that costs `price` after offers, one a component. */
export function taxSteps(
  price: number,
  taxClass: string,
  mode: PriceMode,
  terms: TaxTerms,
  currency: CurrencyProps,
): TaxStep[] {
  const due = terms.reverseCharge?.includes(taxClass) ? [] : (terms.rates?.[taxClass] ?? []);
  if (mode === 'exclusive') return addedSteps(price, due, currency);
  if (due.length > 0) return includedSteps(price, due, currency);
  return removedSteps(price, terms.homeRates?.[taxClass] ?? [], currency);
}

function addedSteps(price: number, rates: TaxRate[], currency: CurrencyProps): TaxStep[] {
  let total = price;
  return rates.map(({ label, percent }) => {
    const change = shareOf(price, percent, 100_000, currency);
    total += change;
    return { step: 'tax', name: label, change, total };
  });
}

function includedSteps(price: number, rates: TaxRate[], currency: CurrencyProps): TaxStep[] {
  return partsOf(price, rates, currency).map(({ label, part }) => {
    const step: TaxStep = { step: 'tax', name: label, change: 0, total: price };
    return part ? { ...step, included: part } : step;
  });
}

function removedSteps(price: number, rates: TaxRate[], currency: CurrencyProps): TaxStep[] {
  let total = price;
  return partsOf(price, rates, currency).flatMap(({ label, part }) => {
    total -= part;
    return part ? [{ step: 'tax', name: label, change: -part, total }] : [];
  });
}

/** The part of an inclusive price that is tax, by component; together at most the price. */
function partsOf(
  price: number,
  rates: TaxRate[],
  currency: CurrencyProps,
): Array<{ label: string; part: number }> {
  const whole = 100_000 + sum(rates.map(({ percent }) => percent));
  let left = price;
  return rates.map(({ label, percent }) => {
    const part = Math.min(left, shareOf(price, percent, whole, currency));
    left -= part;
    return { label, part };
  });
}
