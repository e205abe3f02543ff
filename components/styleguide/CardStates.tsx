import { CardGrid } from '../catalogue/cards/CardGrid';
import { RelatedSkeleton } from '../catalogue/cards/RelatedCards';
import { CategoryTiles } from '../catalogue/home/CategoryTiles';
import { ShopStats } from '../catalogue/home/ShopStats';
import { Testimonials } from '../catalogue/home/Testimonials';
import { card, FORMAT, home, review } from '../fixtures/catalogue';
import { Group, State } from './guide/Guide';
import { ACCENTED, JAPANESE, SENTENCE, UNBROKEN, WORDY } from './guide/texts';

const item = { kind: 'item', level: null, durationMin: null, lessonCount: null, rating: null } as const;

/** Courses in different states, side by side as in a list. */
const MIXED = [
  card({ id: 1, name: 'A course as most of them are' }),
  card({ id: 2, name: 'On sale', listPrice: 16000, price: 11900, lowestBefore: 14900 }),
  card({ id: 3, name: 'Free, and not yet rated', price: 0, listPrice: 0, rating: null, ratingCount: 0 }),
  card({ id: 4, name: UNBROKEN, subtitle: UNBROKEN, category: UNBROKEN.slice(0, 60) }),
  card({
    id: 5,
    name: WORDY,
    subtitle: SENTENCE,
    ratingCount: 1_204_518,
    durationMin: 6015,
    lessonCount: 412,
  }),
  card({
    id: 6,
    name: 'With nothing else known',
    subtitle: '',
    level: null,
    durationMin: null,
    lessonCount: null,
  }),
  card({ id: 7, name: JAPANESE, language: 'ja' }),
  card({ id: 8, name: ACCENTED, language: 'de', price: 123456789, listPrice: 999999999 }),
  card({ id: 9, name: 'A rating of one', rating: 1, ratingCount: 1 }),
];

const ITEMS = [
  card({ ...item, id: 11, name: 'The Calm Month End', itemKind: 'book' }),
  card({ ...item, id: 12, name: 'Exam voucher: indirect tax', itemKind: 'voucher' }),
  card({
    ...item,
    id: 13,
    name: 'Four courses on closing',
    itemKind: 'bundle',
    listPrice: 48000,
    price: 39900,
  }),
  card({ ...item, id: 14, name: 'Desk calculator', itemKind: 'physical' }),
];

const CATEGORIES = [
  {
    slug: 'pictured',
    name: 'Law',
    href: '#tiles',
    description: SENTENCE,
    count: 4,
    picture: { ...card().picture, alt: 'A courtroom' },
  },
  { slug: 'tax', name: 'Tax', href: '#tiles', description: SENTENCE, count: 10, picture: null },
  {
    slug: 'unknown',
    name: 'A subject without a sign of its own',
    href: '#tiles',
    description: '',
    count: 1,
    picture: null,
  },
  {
    slug: 'long',
    name: UNBROKEN.slice(0, 80),
    href: '#tiles',
    description: UNBROKEN,
    count: 12_345,
    picture: null,
  },
];

const QUOTES = [
  { review: review(), course: 'Payroll Basics', href: '#tiles' },
  { review: review({ id: 2, title: '', body: SENTENCE }), course: WORDY, href: '#tiles' },
  {
    review: review({ id: 3, title: UNBROKEN, author: UNBROKEN, body: UNBROKEN }),
    course: UNBROKEN,
    href: '#tiles',
  },
];

const YOUNG = { courses: 1, learners: 0, instructors: 1, rating: null, ratingCount: 0 };

export function CardStates() {
  return (
    <>
      <Group id="cards" title="Cards">
        <State label="In a list: plain, on sale, free, unbroken, wordy, bare, other scripts" ground="bare">
          <CardGrid cards={MIXED} format={FORMAT} isList />
        </State>
        <State label="In a row that narrow screens swipe: book, voucher, bundle, equipment" ground="bare">
          <CardGrid cards={ITEMS} format={FORMAT} />
        </State>
        <State label="On their way" ground="bare">
          <RelatedSkeleton />
        </State>
      </Group>
      <Group id="tiles" title="On the front page">
        <State label="Subjects" ground="bare">
          <CategoryTiles categories={CATEGORIES} format={FORMAT} />
        </State>
        <State label="Words of learners" ground="bare">
          <Testimonials testimonials={QUOTES} format={FORMAT} />
        </State>
        <State label="The shop in figures: grown, and on its first day" ground="night">
          <ShopStats stats={home().stats} format={FORMAT} />
          <ShopStats stats={YOUNG} format={FORMAT} />
        </State>
      </Group>
    </>
  );
}
