import cartStyles from '../../static/css/cart.css?text';
import type { QuotedLine } from '../api/cart';
import { AddButton } from '../cart/buttons/AddButton';
import { WideAddButton } from '../cart/buttons/WideAddButton';
import { MergeReport, PriceChanges } from '../cart/CartNotices';
import { CartSummary } from '../cart/CartSummary';
import { EmptyCart } from '../cart/EmptyCart';
import { LineRow } from '../cart/LineRow';
import { OfferBanner } from '../cart/offer/OfferBanner';
import { SavedLines } from '../cart/SavedLines';
import { pricedCart } from '../cart/store/pricedCart';
import { cartLine, quotedLine, serverCart, storedLines, wishlistItem } from '../fixtures/cart';
import { FORMAT, SITE } from '../fixtures/catalogue';
import { LoadingView } from '../ui/loading/LoadingView';
import { QuantityStepper } from '../ui/QuantityStepper';
import { useStyles } from '../ui/useStyles';
import { moveToWishlist } from '../wishlist/MoveToWishlist';
import { WishlistButton } from '../wishlist/WishlistButton';
import { WishlistItems, WishlistSkeleton } from '../wishlist/WishlistView';
import { Group, State } from './guide/Guide';
import { SENTENCE, UNBROKEN, WORDY } from './guide/texts';

const noop = () => undefined;
const PRODUCT = { id: 900, name: 'Payroll Basics', listPrice: 4900, price: 4900, kind: 'course' as const };

const WITH_CODE: QuotedLine = {
  ...quotedLine({ id: 2, name: 'A code that is lower than the coupon', salePrice: 8000 }),
  unitPrice: 6400,
  unitDiscount: 1600,
  code: 'SPRING20',
  total: 6400,
  steps: [
    { step: 'list', name: '', change: 0, total: 10000 },
    { step: 'sale', name: '', change: -2000, total: 8000 },
    { step: 'code', name: 'SPRING20', change: -1600, total: 6400 },
  ],
  rejectedOffers: [{ step: 'coupon', name: 'WELCOME10', total: 7200, reason: 'higher', message: '' }],
};
const WITH_COUPON: QuotedLine = {
  ...quotedLine({ id: 1, name: 'A course as most of them are' }),
  total: 9000,
  steps: [
    { step: 'list', name: '', change: 0, total: 10000 },
    { step: 'coupon', name: 'WELCOME10', change: -1000, total: 9000 },
  ],
};
const ITEM = quotedLine({
  id: 3,
  kind: 'item',
  itemKind: 'book',
  name: 'Three books',
  quantity: 3,
  stock: 2,
});
const LONG = quotedLine({ id: 4, name: UNBROKEN, listPrice: 999999999 });
const QUOTED = [WITH_COUPON, WITH_CODE, ITEM, LONG];
const TERMS = { discountPercentage: 10, minimumAmount: 50, discountProductType: 'all', discountAmount: 0 };
const SERVER = serverCart({ lines: QUOTED, unavailable: [6], coupon: { code: 'WELCOME10', ...TERMS } });
const LINES = [
  ...storedLines(QUOTED),
  cartLine({ id: 5, name: 'Refused by the account', status: 'refused' }),
  cartLine({ id: 6, name: 'Sold no more' }),
];
const CART = pricedCart(LINES, SERVER, null, SITE);
const UNASKED = pricedCart([cartLine({ id: 7, name: 'Not yet priced by the server' })], null, null, SITE);
const MINIMUM = 'Spend $500.00 or more to use WELCOME10: $410.00 to go.';
const REFUSED = pricedCart(
  storedLines([ITEM]),
  serverCart({
    lines: [ITEM],
    coupon: { code: UNBROKEN.slice(0, 60), ...TERMS },
    refusals: [
      {
        step: 'coupon',
        name: 'WELCOME10',
        lineId: null,
        reason: 'minimum',
        message: `${MINIMUM} ${SENTENCE}`,
      },
    ],
  }),
  null,
  SITE,
);

const WISHES = [
  wishlistItem({
    name: 'Cheaper than when it was wished for',
    listPrice: 10000,
    price: 7500,
    seenPrice: 10000,
  }),
  wishlistItem({ id: 2, name: WORDY, isAvailable: false }),
  wishlistItem({ id: 3, name: UNBROKEN, isOwned: true }),
];
const CHANGES = [
  { id: 1, name: 'Payroll Basics', from: 10000, to: 8000 },
  { id: 2, name: UNBROKEN, from: 8000, to: 8050 },
];
const MERGED = [
  { id: 1, name: 'Payroll Basics', outcome: 'added', message: '' },
  { id: 2, name: WORDY, outcome: 'kept', message: '' },
  { id: 3, name: UNBROKEN, outcome: 'refused', message: 'You own this course already.' },
] as const;

export function CartStates() {
  useStyles(cartStyles);
  return (
    <>
      <Group id="cart" title="Cart">
        <Buttons />
        <State
          label="Lines: coupon, code against coupon, short of stock, unbroken, refused, gone"
          ground="bare"
        >
          <ul className="stack">
            {CART.lines.map((item) => (
              <LineRow key={item.line.id} item={item} format={FORMAT} action={moveToWishlist} />
            ))}
          </ul>
        </State>
        <State label="Before the server has answered; and in the side panel">
          <ul className="stack">
            {[...UNASKED.lines, ...CART.lines.slice(1, 4)].map((item) => (
              <LineRow key={item.line.id} item={item} format={FORMAT} isCompact />
            ))}
          </ul>
        </State>
        <State label="Summary: with a coupon, without, with one that is refused" ground="bare">
          <div className="guide__boxes">
            {[CART, UNASKED, REFUSED].map((cart, index) => (
              <CartSummary key={['coupon', 'none', 'refused'][index]} cart={cart} format={FORMAT} />
            ))}
          </div>
        </State>
        <State label="Saved for later" ground="bare">
          <SavedLines lines={storedLines([ITEM])} server={serverCart({ saved: [ITEM] })} format={FORMAT} />
        </State>
        <State label="What happened meanwhile" ground="bare">
          <div className="cart-notices">
            <PriceChanges changes={CHANGES} format={FORMAT} />
            <MergeReport entries={[...MERGED]} />
          </div>
        </State>
        <State label="Empty" ground="bare">
          <EmptyCart />
        </State>
        <State label="Until the authentication check is done" ground="bare">
          <LoadingView />
        </State>
      </Group>
      <Group id="wishlist" title="Wishlist">
        <State label="Cheaper, gone, owned" ground="bare">
          <WishlistItems items={WISHES} format={FORMAT} />
        </State>
        <State label="Empty; on its way" ground="bare">
          <WishlistItems items={[]} format={FORMAT} />
          <WishlistSkeleton />
        </State>
      </Group>
    </>
  );
}

function Buttons() {
  return (
    <>
      <State label="Into the cart: on a card, on its own page; onto the wishlist; how many">
        <div className="guide__row row">
          <AddButton product={PRODUCT} />
          <WideAddButton product={PRODUCT} />
          <WishlistButton product={PRODUCT} />
          <QuantityStepper name="the book" quantity={1} max={9} onChange={noop} />
        </div>
      </State>
      <State label="News above the front page" ground="bare">
        <OfferBanner />
      </State>
    </>
  );
}
