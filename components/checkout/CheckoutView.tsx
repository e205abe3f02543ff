import { Fragment } from 'react';
import checkoutStyles from '../../static/css/checkout.css?text';
import { useSite } from '../api/site';
import { MergeRefusals } from '../cart/MergeRefusals';
import type { Checkout, CheckoutRefused, OpenOrderSchema } from '../contracts/schema';
import { dateTime } from '../format/dateTime';
import { type Format, formatOf, plural } from '../format/format';
import { FormError } from '../forms/call/FormError';
import { isolated } from '../model/isolated';
import { Button } from '../ui/controls/Button';
import { useStyles } from '../ui/useStyles';
import { followedOption } from './CheckoutField';
import { DeliveryServices } from './DeliveryServices';
import { Differences } from './Differences';
import { EmptyCheckout } from './EmptyCheckout';
import { ErrorSummary } from './ErrorSummary';
import { FormPart, GiftPart } from './FormPart';
import { OrderSummary } from './OrderSummary';
import { PayPart } from './PayPart';
import { storeProblemText } from './placeProblemText';
import { type CheckoutModel, useCheckout } from './useCheckout';

type CheckoutViewProps = {
  first: Checkout;
  /** Why the form that this page answers placed no order. */
  refused?: CheckoutRefused | null;
  /** Where the receipt goes. */
  email: string;
};

/** The whole of /checkout. */
export function CheckoutView({ first, refused = null, email }: CheckoutViewProps) {
  useStyles(checkoutStyles);
  const format = formatOf(useSite());
  const model = useCheckout(first, refused);
  const { checkout } = model;
  return (
    <div className="checkout stack">
      <CheckoutHead checkout={checkout} format={format} />
      <MergeRefusals />
      {checkout.openOrder && <OpenOrder order={checkout.openOrder} format={format} />}
      {checkout.lines.length === 0 ? (
        <EmptyCheckout />
      ) : (
        <CheckoutForm model={model} email={email} format={format} />
      )}
    </div>
  );
}

function CheckoutHead({ checkout: { lines, totals }, format }: { checkout: Checkout; format: Format }) {
  const count = lines.reduce((sum, line) => sum + line.quantity, 0);
  return (
    <div className="checkout__head row">
      <h1>Checkout</h1>
      {count > 0 && (
        <p className="checkout__total">
          {`${format.count(count)} ${plural(count, 'item', 'items')}, ${format.money(totals.totalMinor)}. `}
          <a href="#order-summary">See your order</a>
        </p>
      )}
    </div>
  );
}

type OpenOrderProps = { order: OpenOrderSchema; format: Format };

/** An order that waits for its payment. Its own page goes on with it, or cancels it. */
function OpenOrder({ order, format }: OpenOrderProps) {
  const { names, totalMinor, reservedUntil, href } = order;
  const { forms } = useSite();
  return (
    <section className="checkout__message" aria-labelledby="open-order-title">
      <h2 id="open-order-title">You have an order that is not paid yet</h2>
      <p>
        {`${namesText(names)}: ${format.money(totalMinor)}. `}
        {reservedUntil && `It is reserved for you until ${dateTime(reservedUntil, forms)}. `}
        If you order again below, the new order replaces it. Nothing is charged twice.
      </p>
      <p className="checkout__message-actions row">
        <a className="button button--quiet" href={href}>
          Pay or cancel this order
        </a>
      </p>
    </section>
  );
}

function namesText(names: readonly string[]): string {
  const [first = 'Your order', ...rest] = names;
  if (rest.length === 0) return isolated(first);
  return `${isolated(first)} and ${rest.length} more ${plural(rest.length, 'item', 'items')}`;
}

type CheckoutFormProps = { model: CheckoutModel; email: string; format: Format };

/** The form itself. Its names are those of the form without script, which it becomes after the end of a sign-in. */
function CheckoutForm({ model, email, format }: CheckoutFormProps) {
  const { checkout, stored, errors, warnings, isPlacing } = model;
  const { countries } = checkout;
  const { values, store: onLeave } = stored;
  const context = { values, errors, warnings, countries, onChange: model.change, onLeave };
  return (
    <form method="post" action="/checkout" noValidate ref={model.formRef} onSubmit={model.onSubmit}>
      <input type="hidden" name="key" value={checkout.key} />
      <input type="hidden" name="seen" value={JSON.stringify(checkout.seen)} />
      <div className="checkout__columns stack">
        <div className="checkout__fields stack">
          <Messages model={model} format={format} />
          <p className="hint">Fields marked * are required.</p>
          {checkout.forms
            .filter(({ group }) => group !== 'gift')
            .map((group) => (
              <Fragment key={group.group}>
                <FormPart group={group} context={context} />
                {group.group === 'delivery' && (
                  <DeliveryServices
                    services={checkout.services}
                    chosen={stored.service}
                    format={format}
                    onChoose={stored.chooseService}
                  />
                )}
              </Fragment>
            ))}
          <GiftPart groups={checkout.forms.filter(({ group }) => group === 'gift')} context={context} />
        </div>
        <OrderSummary checkout={checkout} format={format} isBusy={stored.isBusy} />
        <PayPart checkout={checkout} format={format} email={email} isBusy={isPlacing} error={errors.terms} />
      </div>
      <p className="sr-only" role="status">
        {[
          ...followed(model),
          `Total ${format.money(checkout.totals.totalMinor)}.`,
          ...Object.values(warnings),
        ].join(' ')}
      </p>
    </form>
  );
}

/** What was filled in by itself, read aloud. */
function followed({ checkout, stored }: CheckoutModel): string[] {
  return checkout.forms.flatMap(({ fields }) =>
    fields.flatMap((field) => {
      const option = followedOption(field, stored.values);
      return option ? [`${field.label}: ${isolated(option)}, from your postal code.`] : [];
    }),
  );
}

/** What stands in the way, above the fields. */
function Messages({ model, format }: { model: CheckoutModel; format: Format }) {
  const { checkout, stored, pressErrors, differences, text, isPlacing, isSignInOver } = model;
  return (
    <>
      {/* What is wrong while somebody types stands at its field: the form stays where it is. */}
      <ErrorSummary errors={pressErrors} forms={checkout.forms} />
      {differences.length > 0 && <Differences differences={differences} format={format} isBusy={isPlacing} />}
      <div className="form-status">
        <FormError text={text} />
        <div role="status">
          {isSignInOver && <SignInOver onGoOn={model.postPlainForm} />}
          {stored.problem && !isSignInOver && (
            <p className="form-news">
              <span>{storeProblemText(stored.problem)}</span>
              <Button variant="text" onClick={stored.store}>
                Try again
              </Button>
            </p>
          )}
        </div>
      </div>
    </>
  );
}

function SignInOver({ onGoOn }: { onGoOn: () => void }) {
  return (
    <p className="form-news">
      <span>Your sign-in has ended. Nothing that you typed is lost.</span>
      <Button variant="text" onClick={onGoOn}>
        Sign in to go on
      </Button>
    </p>
  );
}
