/** @jest-environment node */
import agreement from '../../../contracts/cases/price-messages.json';
import { shopFormat } from '../../fixtures/shopFormat';
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
  const site = shopFormat(locale, shop.currency);
  const priced = quote(lines, coupon, site.currency, formatOf(site).price);
  const offers = [...priced.refusals, ...priced.lines.flatMap(({ rejectedOffers }) => rejectedOffers)];
  expect(offers.map(({ message }) => message)).toEqual(messages);
});
