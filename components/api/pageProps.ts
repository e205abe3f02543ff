/**
 * What the host's loaders hand to each page. host/loaders/ builds exactly these forms; docs/wire.md, "props".
 * Money is in integer minor units of the shop's currency, times are ISO 8601 in UTC, durations whole minutes.
 */

export type Level = 'beginner' | 'intermediate' | 'advanced' | 'all';
export type ItemKind = 'book' | 'voucher' | 'bundle' | 'physical';

export type Picture = { src: string; width: number; height: number; alt: string };

/** `nofollow`: a list too short for search engines, to which they are not led. */
export type CategoryRef = { slug: string; name: string; href: string; nofollow?: boolean };

/** The same for every visitor and every page: settings, not a person's data. */
export type Site = {
  name: string;
  tagline: string;
  origin: string;
  currency: string;
  locale: string;
  logo: string;
  email: string;
  year: number;
  build: string;
  /** Base address of the calls (setting API_BASE). */
  api: string;
  categories: CategoryRef[];
};

/** What Jinja prints in the head, and what the browser keeps right on client navigation. */
export type Head = {
  title: string;
  description: string;
  canonical: string | null;
  robots: string;
  type: string;
  image: string | null;
  jsonLd: object[];
};

/** One course or shop item in a list. `price` is what is paid now, `listPrice` what it was before a sale. */
export type Card = {
  id: number;
  kind: 'course' | 'item';
  href: string;
  name: string;
  subtitle: string;
  category: string;
  level: Level | null;
  language: string | null;
  itemKind: ItemKind | null;
  picture: Picture;
  listPrice: number;
  price: number;
  rating: number | null;
  ratingCount: number;
  durationMin: number | null;
  lessonCount: number | null;
};

export type Crumb = { name: string; href: string; nofollow?: boolean };

export type Review = { id: number; author: string; rating: number; title: string; body: string; at: string };

/** `counts[0]` is the number of one-star reviews, `counts[4]` of five-star ones. */
export type Reviews = { items: Review[]; counts: number[] };

export type HomeProps = {
  featured: Card[];
  newest: Card[];
  categories: (CategoryRef & { description: string; count: number })[];
  proof: {
    courses: number;
    learners: number;
    instructors: number;
    rating: number | null;
    ratingCount: number;
  };
  quotes: { review: Review; course: string; href: string }[];
};

export type FacetOption = {
  value: string;
  label: string;
  count: number;
  selected: boolean;
  href: string;
  nofollow: boolean;
};
export type Facet = { name: string; label: string; options: FacetOption[] };

export type ShopProps = {
  heading: string;
  intro: string;
  total: number;
  page: number;
  pages: number;
  cards: Card[];
  facets: Facet[];
  /** Filters in force, each with the address that drops it. */
  active: { label: string; href: string }[];
  clearHref: string;
  sort: { value: string; label: string; selected: boolean; href: string }[];
  /** `href` is null for the present page and for a gap (`number` null). */
  pager: {
    previous: string | null;
    next: string | null;
    entries: { number: number | null; href: string | null }[];
    /** Of a list that search engines may not keep. */
    nofollow?: boolean;
  };
};

/** /search shows the shop's list for some words. */
export type SearchProps = Omit<ShopProps, 'heading' | 'intro'> & {
  /** As typed, one line of at most 200 letters. */
  query: string;
  /** empty: nothing was asked yet; none: nothing has any of the words. The others say how the results came about. */
  answer: 'empty' | 'exact' | 'corrected' | 'partial' | 'none';
  /** There are more than are ever counted. */
  isCut: boolean;
  /** The query as it was searched, in small letters, and its words that nothing has. */
  understood: string;
  unknown: string[];
  /** With answer corrected: the address that searches for just what was typed. */
  asTypedHref: string | null;
  didYouMean: { text: string; href: string } | null;
  /** Filled when there is nothing to show. */
  popular: { text: string; href: string }[];
  courses: Card[];
};

export type Instructor = { slug: string; name: string; title: string; bio: string };
export type Lesson = { title: string; minutes: number; preview: boolean };
export type Section = { title: string; minutes: number; lessons: Lesson[] };

export type CourseProps = {
  id: number;
  slug: string;
  name: string;
  subtitle: string;
  /** Sanitised by the host; drawn only through ui/RichText. */
  descriptionHtml: string;
  isGenerated: boolean;
  outcomes: string[];
  prerequisites: string[];
  audience: string[];
  level: Level;
  language: string | null;
  category: CategoryRef;
  instructors: Instructor[];
  provider: string;
  durationMin: number | null;
  lessonCount: number;
  credits: string | null;
  sections: Section[];
  preview: { title: string; text: string } | null;
  listPrice: number;
  price: number;
  saleUntil: string | null;
  picture: Picture;
  rating: number | null;
  ratingCount: number;
  enrolled: number;
  updatedAt: string;
  faq: { question: string; answer: string }[];
  crumbs: Crumb[];
  /** Set when the course is retired: it is no longer sold, these follow it. */
  retired: { successors: Card[] } | null;
};
export type CourseDeferred = { reviews: Reviews; related: Card[] };

export type ItemProps = {
  id: number;
  slug: string;
  name: string;
  subtitle: string;
  descriptionHtml: string;
  itemKind: ItemKind;
  sku: string;
  category: CategoryRef;
  listPrice: number;
  price: number;
  saleUntil: string | null;
  pictures: Picture[];
  /** null = unlimited, 0 = sold out */
  stock: number | null;
  delivery: string;
  crumbs: Crumb[];
};
export type ItemDeferred = { related: Card[] };

export type ContentProps = {
  title: string;
  html: string;
  updatedAt: string;
  refundDays: number | null;
  crumbs: Crumb[];
};

/** Of a page that the browser draws: its heading for as long as the authentication check takes. */
export type WaitingProps = { title: string };

export type ContactValues = { name: string; email: string; subject: string; message: string };
export type ContactProps = {
  title: string;
  html: string;
  crumbs: Crumb[];
  /** Filled by the host when the form was sent without JavaScript. */
  form: {
    values: ContactValues;
    errors: Partial<Record<keyof ContactValues | 'form', string>>;
    sent: boolean;
  };
};

export type ErrorProps = { status: number; message: string; suggestions: Card[] };

/** One page as the host gives it: in the document's state, and as the answer of GET /data{path}?{query}. */
export type PageData = { page: string; status: number; head: Head; props: unknown };
