/** @jest-environment node */
import type { ReactNode } from 'react';
import { renderToString } from 'react-dom/server';
import {
  card,
  cards,
  contactForm,
  course,
  home,
  instructor,
  item,
  review,
  ShopProviders,
  search,
  shop,
} from '../fixtures/renderInShop';
import { DefaultLayout, LayoutOne } from '../layouts/DefaultLayout';
import { CourseDetailsPage } from './catalogue/CourseDetailsPage';
import { HomePage } from './catalogue/HomePage';
import { InstructorPage } from './catalogue/InstructorPage';
import { SearchPage } from './catalogue/SearchPage';
import { ShopDetailsPage } from './catalogue/ShopDetailsPage';
import { ShopPage } from './catalogue/ShopPage';
import { AboutPage } from './content/AboutPage';
import { ContactPage } from './content/ContactPage';
import { ErrorPage } from './content/ErrorPage';
import { RefundGrievancePolicyPage } from './content/RefundGrievancePolicyPage';

const reviews = { items: [review()], counts: [0, 0, 0, 1, 0] };
const content = {
  title: 'T',
  html: '<p>Text</p>',
  updatedAt: '2026-09-15T00:00:00Z',
  refundDays: 14,
  crumbs: [],
};
const inShop = (page: ReactNode) => <LayoutOne>{page}</LayoutOne>;
const inDefault = (page: ReactNode) => <DefaultLayout>{page}</DefaultLayout>;

const PAGES: Record<string, ReactNode> = {
  home: <HomePage {...home()} />,
  search: inShop(<SearchPage {...search()} />),
  'search without results': inShop(
    <SearchPage {...search({ answer: 'none', total: 0, cards: [], courses: cards(3) })} />,
  ),
  shop: inShop(<ShopPage {...shop()} />),
  course: inShop(<CourseDetailsPage {...course()} reviews={reviews} related={cards(4)} />),
  retired: inShop(
    <CourseDetailsPage {...course({ retired: { successors: [card()] } })} reviews={reviews} related={[]} />,
  ),
  instructor: inDefault(<InstructorPage {...instructor()} />),
  item: inShop(<ShopDetailsPage {...item()} related={cards(4)} />),
  about: inDefault(<AboutPage {...content} />),
  policy: inDefault(<RefundGrievancePolicyPage {...content} />),
  contact: inDefault(<ContactPage {...content} form={contactForm()} />),
  error: inDefault(<ErrorPage status={404} message="Page not found: /x" suggestions={cards(3)} />),
};

function render(page: ReactNode): string {
  return renderToString(<ShopProviders>{page}</ShopProviders>);
}

describe.each(Object.entries(PAGES))('%s', (_, page) => {
  const html = render(page);

  test('has one first heading and skips no level', () => {
    const levels = [...html.matchAll(/<h([1-6])[ >]/g)].map((match) => Number(match[1]));
    expect(levels.filter((level) => level === 1)).toHaveLength(1);
    expect(levels.filter((level, index) => level > (levels[index - 1] ?? 0) + 1)).toEqual([]);
  });

  test('has no style attributes', () => {
    expect(html).not.toMatch(/ style=|<style/);
  });

  test('links only to pages that are served', () => {
    const served =
      /^(?:\/|\/about|\/contact(?:\?about=[\w-]+)?|\/login|\/organization-register|\/refund-grievance-policy|\/cart|\/wishlist|\/shop(?:\?.*)?|\/search(?:\?.*)?|\/course-details\?course=.+|\/shop-details\/.+|\/instructors\/.+|#.+|mailto:.+)$/;
    const links = [...html.matchAll(/<a [^>]*?href="([^"]*)"/g)].map((match) => match[1] ?? '');
    expect(links.filter((href) => !served.test(href))).toEqual([]);
  });

  test('gives every picture its size', () => {
    const pictures = html.match(/<img [^>]*>/g) ?? [];
    expect(pictures.filter((picture) => !/width="\d+" height="\d+" alt=/.test(picture))).toEqual([]);
  });
});

test('a full page of the catalogue stays below 45 KB', () => {
  expect(Buffer.byteLength(render(PAGES.shop))).toBeLessThan(45_000);
});
