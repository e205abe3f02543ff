/** @jest-environment node */
import agreement from '../../../contracts/cases/price-messages.json';
import { currencyOf } from '../../fixtures/currencies';
import { formatOf } from '../../format/format';
import type { Offer, PricingLine } from './offers';
import { quote } from './quote';

type Case = {
  name: string;
  locale: string;
  currency: string;
  lines: PricingLine[];
  coupon?: Offer;
  messages: string[];
};

test.each(agreement.cases as Case[])('$name', ({ messages, locale, lines, coupon = null, ...shop }) => {
  const currency = currencyOf(shop.currency);
  const priced = quote(lines, coupon, currency, formatOf({ locale, currency }).price);
  const offers = [...priced.refusals, ...priced.lines.flatMap(({ rejectedOffers }) => rejectedOffers)];
  expect(offers.map(({ message }) => message)).toEqual(messages);
});
