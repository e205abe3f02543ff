import type { ReactNode } from 'react';
import type {
  Card,
  ContactProps,
  CourseProps,
  HomeProps,
  ItemProps,
  Review,
  SearchProps,
  ShopProps,
  Site,
} from '../api/pageProps';
import { SiteProvider } from '../api/site';
import { formatOf } from './format';

/** A small world for the component page and the tests; each factory takes what its caller is about. */
export const SITE: Site = {
  name: 'Meridian Learning',
  tagline: 'Courses that respect the hour you have.',
  origin: 'http://localhost:8080',
  currency: 'USD',
  locale: 'en-US',
  logo: '/static/images/logo.svg',
  email: 'support@meridian-learning.example',
  year: 2026,
  build: 'test',
  api: '/api',
  categories: [
    { slug: 'tax', name: 'Tax', href: '/shop?category=tax' },
    { slug: 'data', name: 'Data & Analytics', href: '/shop?category=data' },
  ],
};

export const FORMAT = formatOf(SITE);

export function InShop({ children }: { children: ReactNode }) {
  return <SiteProvider site={SITE}>{children}</SiteProvider>;
}

const picture = {
  src: '/pictures/course/tax/payroll-basics/0.svg',
  width: 800,
  height: 450,
  alt: 'A ledger',
};
const tax = { slug: 'tax', name: 'Tax', href: '/shop?category=tax' };

export function card(given: Partial<Card> = {}): Card {
  return {
    id: 1,
    kind: 'course',
    href: '/course-details?course=payroll-basics',
    name: 'Payroll Basics',
    subtitle: 'From gross to net.',
    category: 'Tax',
    level: 'beginner',
    language: 'en',
    itemKind: null,
    picture,
    listPrice: 4900,
    price: 4900,
    rating: 4.6,
    ratingCount: 1200,
    durationMin: 90,
    lessonCount: 12,
    ...given,
  };
}

export function cards(count: number): Card[] {
  return Array.from({ length: count }, (_, index) => card({ id: index + 1, name: `Course ${index + 1}` }));
}

export function review(given: Partial<Review> = {}): Review {
  return {
    id: 1,
    author: 'Ada L.',
    rating: 4,
    title: 'Clear',
    body: 'Short and useful.',
    at: '2026-03-04T23:30:00Z',
    ...given,
  };
}

export function home(given: Partial<HomeProps> = {}): HomeProps {
  return {
    featured: cards(3),
    newest: cards(4),
    categories: [{ ...tax, description: 'Rules and cases.', count: 9 }],
    proof: { courses: 64, learners: 18420, instructors: 14, rating: 4.63, ratingCount: 5210 },
    quotes: [{ review: review(), course: 'Payroll Basics', href: '/course-details?course=payroll-basics' }],
    ...given,
  };
}

export function shop(given: Partial<ShopProps> = {}): ShopProps {
  const option = { value: 'beginner', label: 'Beginner', count: 22, selected: false, nofollow: false };
  return {
    heading: 'Catalogue',
    intro: 'Everything we teach.',
    total: 83,
    page: 2,
    pages: 4,
    cards: cards(24),
    facets: [{ name: 'level', label: 'Level', options: [{ ...option, href: '/shop?level=beginner' }] }],
    active: [],
    clearHref: '/shop',
    sort: [
      { value: 'popular', label: 'Most popular', selected: true, href: '/shop' },
      { value: 'newest', label: 'Newest', selected: false, href: '/shop?sort=newest' },
    ],
    pager: {
      previous: '/shop',
      next: '/shop?page=3',
      entries: [
        { number: 1, href: '/shop' },
        { number: 2, href: null },
        { number: null, href: null },
        { number: 4, href: '/shop?page=4' },
      ],
    },
    ...given,
  };
}

export function search(given: Partial<SearchProps> = {}): SearchProps {
  const { heading: _heading, intro: _intro, ...list } = shop();
  return {
    ...list,
    query: 'payroll',
    answer: 'exact',
    isCut: false,
    understood: 'payroll',
    unknown: [],
    asTypedHref: null,
    didYouMean: null,
    popular: [],
    courses: [],
    ...given,
  };
}

export function course(given: Partial<CourseProps> = {}): CourseProps {
  return {
    id: 1,
    slug: 'payroll-basics',
    name: 'Payroll Basics',
    subtitle: 'From gross to net.',
    descriptionHtml: '<p>How a payslip comes about.</p>',
    isGenerated: false,
    outcomes: ['Read a payslip'],
    prerequisites: ['None'],
    audience: ['New clerks'],
    level: 'beginner',
    language: 'en',
    category: tax,
    instructors: [{ slug: 'bo', name: 'Bo Sand', title: 'Adviser', bio: 'Has read many payslips.' }],
    provider: 'Meridian Learning',
    durationMin: 90,
    lessonCount: 2,
    credits: '1.5',
    sections: [
      {
        title: 'Gross',
        minutes: 30,
        lessons: [
          { title: 'Why payslips differ', minutes: 12, preview: true },
          { title: 'Hours and rates', minutes: 18, preview: false },
        ],
      },
    ],
    preview: { title: 'Why payslips differ', text: 'Two people, one salary.\n\nTwo payslips.' },
    listPrice: 10000,
    price: 7500,
    saleUntil: '2026-12-01T00:00:00Z',
    picture,
    rating: 4.6,
    ratingCount: 220,
    enrolled: 3412,
    updatedAt: '2026-09-04T00:00:00Z',
    faq: [{ question: 'May I pause?', answer: 'As long as you like.' }],
    crumbs: [{ name: 'Home', href: '/' }],
    retired: null,
    ...given,
  };
}

export function item(given: Partial<ItemProps> = {}): ItemProps {
  return {
    id: 90,
    slug: 'the-calm-month-end',
    name: 'The Calm Month End',
    subtitle: 'Close in five days.',
    descriptionHtml: '<p>272 pages.</p>',
    itemKind: 'book',
    sku: 'ML-BK-001',
    category: tax,
    listPrice: 3900,
    price: 3900,
    saleUntil: null,
    pictures: [picture],
    stock: null,
    delivery: 'Sent by post.',
    crumbs: [{ name: 'Home', href: '/' }],
    ...given,
  };
}

export function contactForm(given: Partial<ContactProps['form']> = {}): ContactProps['form'] {
  return { values: { name: '', email: '', subject: '', message: '' }, errors: {}, sent: false, ...given };
}
