import { Fragment } from 'react';
import type { Format } from '../format/format';
import { FormError } from '../forms/call/FormError';
import { Button } from '../ui/controls/Button';
import { followedOption } from './CheckoutField';
import { DeliveryServices } from './DeliveryServices';
import { Differences } from './Differences';
import { ErrorSummary } from './ErrorSummary';
import { FormPart, GiftPart } from './FormPart';
import { OrderSummary } from './OrderSummary';
import { PayPart } from './PayPart';
import { storeProblemText } from './placeProblemText';
import type { CheckoutModel } from './useCheckout';

type CheckoutFormProps = { model: CheckoutModel; email: string; format: Format };

/** The form itself. Its names are those of the form without script, which it becomes after the end of a sign-in. */
export function CheckoutForm({ model, email, format }: CheckoutFormProps) {
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
      return option ? [`${field.label}: ${option}, from your postal code.`] : [];
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
