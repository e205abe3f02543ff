import type { CurrencyProps } from '../../contracts/schema';

let currency: CurrencyProps | null = null;

/** Called once, with the state of the document: the shop's currency is the same on every page. */
export function setSiteCurrency(value: CurrencyProps): void {
  currency = value;
}

/** The currency of amounts in storage and of the specification's calls, which do not name it. */
export function siteCurrency(): CurrencyProps {
  if (!currency) throw new Error('setSiteCurrency was not called');
  return currency;
}
