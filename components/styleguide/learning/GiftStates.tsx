import type { GiftCard as GiftCardData } from '../../contracts/schema';
import { SESSION } from '../../fixtures/session';
import { GiftCard } from '../../learning/gifts/GiftCard';
import { State } from '../guide/Guide';
import { UNBROKEN } from '../guide/texts';

const COURSES = [
  { name: 'SQL for Spreadsheet People', href: '#learning' },
  { name: 'Delegation That Holds', href: '#learning' },
];
const GIFT: GiftCardData = {
  token: 'none',
  name: 'Bundle: numbers and people',
  giver: 'Ada L.',
  message: 'For your new team.\nSee you there.',
  courses: COURSES,
  refusal: null,
  isClaimed: false,
};
const GIFTS: [label: string, gift: GiftCardData][] = [
  ['Gift: can be accepted', GIFT],
  ['Gift: from the shop, without spaces', { ...GIFT, giver: '', message: UNBROKEN }],
  ['Gift: accepted', { ...GIFT, isClaimed: true }],
  ['Gift: cannot be accepted', { ...GIFT, refusal: 'This is your own gift: it is for somebody else.' }],
];

/** The gift of a link, as its recipient sees it. */
export function GiftStates() {
  return GIFTS.map(([label, gift]) => (
    <State key={label} label={label} ground="bare">
      <GiftCard gift={gift} learner={SESSION.learner} />
    </State>
  ));
}
