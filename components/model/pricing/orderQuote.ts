import type { CurrencyProps } from '../../contracts/schema';
import { type Offer, type PricingLine, sum } from './offers';
import { type PricedLine, type Quote, quote } from './quote';
import { type PriceMode, type TaxStep, type TaxTerms, taxSteps } from './taxes';

/** The chosen service before tax; `listPrice`: what it costs where it is not free. */
export type DeliveryChoice = { service: string; price: number; listPrice: number };

export type TaxedLine = PricingLine & { taxClass?: string };

export type OrderInputs = {
  lines: readonly TaxedLine[];
  coupon?: Offer | null;
  currency: CurrencyProps;
  priceMode: PriceMode;
  tax?: TaxTerms;
  delivery?: DeliveryChoice;
};

export type OrderLine = Omit<PricedLine, 'steps'> & { kind?: 'delivery'; steps: TaxStep[] };

/** `delivery`: before tax; `removedTax`: taken out of inclusive prices where none is due. Missing where they are 0. */
export type OrderQuote = Omit<Quote, 'lines'> & {
  lines: OrderLine[];
  delivery?: number;
  removedTax?: number;
};

/** What an order costs: the cart's quote with delivery as a line of its own, and the tax of every line. */
export function orderQuote(inputs: OrderInputs): OrderQuote {
  const { lines, coupon = null, currency, delivery } = inputs;
  const priced = quote(lines, coupon, currency);
  const classes = lines.map(({ taxClass = 'service' }) => taxClass);
  const taxed = priced.lines.map((line, index) => taxedLine(line, classes[index] ?? 'service', inputs));
  if (delivery) taxed.push(taxedLine(deliveryLine(delivery), 'delivery', inputs));
  const steps = taxed.flatMap((line) => line.steps).filter(({ step }) => step === 'tax');
  const removedTax = 0 - sum(steps.map(({ change }) => Math.min(change, 0)));
  return {
    ...priced,
    lines: taxed,
    tax: sum(steps.map(({ change, included = 0 }) => Math.max(change, 0) + included)),
    total: sum(taxed.map(({ total }) => total)),
    ...(delivery?.price ? { delivery: delivery.price } : {}),
    ...(removedTax ? { removedTax } : {}),
  };
}

function taxedLine(line: OrderLine, taxClass: string, { priceMode, tax, currency }: OrderInputs): OrderLine {
  if (!tax) return line;
  const steps = [...line.steps, ...taxSteps(line.total, taxClass, priceMode, tax, currency)];
  return { ...line, steps, total: steps.at(-1)?.total ?? line.total };
}

function deliveryLine({ service, price, listPrice }: DeliveryChoice): OrderLine {
  const steps: TaxStep[] = [{ step: 'list', name: service, change: 0, total: listPrice }];
  if (price !== listPrice) steps.push({ step: 'sale', name: '', change: price - listPrice, total: price });
  const units = { quantity: 1, unitPrice: price, unitDiscount: null };
  return { id: 0, kind: 'delivery', ...units, total: price, steps, rejectedOffers: [] };
}
