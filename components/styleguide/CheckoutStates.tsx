import checkoutStyles from '../../static/css/checkout.css?text';
import { DeliveryServices } from '../checkout/DeliveryServices';
import { Differences } from '../checkout/Differences';
import { EmptyCheckout } from '../checkout/EmptyCheckout';
import { ErrorSummary } from '../checkout/ErrorSummary';
import { FormPart, GiftPart } from '../checkout/FormPart';
import { OrderSummary } from '../checkout/OrderSummary';
import { PayPart } from '../checkout/PayPart';
import type { CheckoutGroupSchema } from '../contracts/schema';
import { quotedLine } from '../fixtures/cart';
import { FORMAT } from '../fixtures/catalogue';
import {
  BUYER_GROUP,
  COUNTRIES,
  checkout,
  deliveryGroup,
  difference,
  field,
  line,
} from '../fixtures/checkout';
import { useStyles } from '../ui/useStyles';
import { Group, State } from './guide/Guide';
import { SENTENCE, UNBROKEN } from './guide/texts';

const noop = () => undefined;
const ERRORS = { 'delivery.name': 'Enter your full name.', terms: 'The policy has changed.' };
const DELIVERY = deliveryGroup('US', { 'delivery.street_address': UNBROKEN });
const GIFT: CheckoutGroupSchema = {
  group: 'gift',
  legend: 'Payroll Basics',
  productId: 7,
  fields: [
    field('gift.7.chosen', 'This is a gift', { kind: 'checkbox', value: 'yes' }),
    field('gift.7.recipient_email', 'Email address of the recipient', { kind: 'email' }),
    field('gift.7.send_at', 'Day of the gift', { kind: 'date', required: false }),
  ],
};
const WARNINGS = { 'delivery.postal_code': 'Our list does not have this ZIP code in California.' };
const CONTEXT = {
  values: {},
  errors: ERRORS,
  warnings: WARNINGS,
  countries: COUNTRIES,
  onChange: noop,
  onLeave: noop,
};
const { picture } = quotedLine();
const LINES = [
  line({ picture }),
  line({ id: 2, picture, name: UNBROKEN, quantity: 1, steps: [], refusal: 'Only one is left.' }),
  line({ id: 3, picture, name: 'Free of charge', unitMinor: 0, offeredMinor: 0, quantity: 1, steps: [] }),
];
const DIFFERENCES = [
  difference({ reason: 'This is its list price now.' }),
  difference({ productId: 2, name: UNBROKEN, beforeMinor: 900, afterMinor: null }),
  difference({ part: 'total', productId: null, name: 'Total', afterMinor: 650_000 }),
];
const CHECKOUT = checkout({ lines: LINES });

export function CheckoutStates() {
  useStyles(checkoutStyles);
  return (
    <Group id="checkout" title="Checkout">
      <State label="What is missing; what costs another amount than was shown" ground="bare">
        <ErrorSummary errors={ERRORS} forms={[DELIVERY]} />
        <Differences differences={DIFFERENCES} format={FORMAT} isBusy={false} />
      </State>
      <State label="Fields: a choice, required, wrong, with an example; a gift; services" ground="bare">
        <div className="checkout stack">
          <FormPart group={BUYER_GROUP} context={CONTEXT} />
          <FormPart group={DELIVERY} context={CONTEXT} />
          <DeliveryServices services={CHECKOUT.services} chosen="express" format={FORMAT} onChoose={noop} />
          <GiftPart groups={[GIFT]} context={CONTEXT} />
        </div>
      </State>
      <State
        label="The order: lowered, refused, free; paying by changed terms while the gateway is down"
        ground="bare"
      >
        <div className="guide__boxes">
          <OrderSummary checkout={CHECKOUT} format={FORMAT} isBusy={false} />
          <PayPart
            checkout={{ ...CHECKOUT, paymentsRefusal: SENTENCE }}
            format={FORMAT}
            email={`${UNBROKEN}@example.test`}
            isBusy={false}
            error={ERRORS.terms}
          />
        </div>
      </State>
      <State label="Nothing to order" ground="bare">
        <EmptyCheckout />
      </State>
    </Group>
  );
}
