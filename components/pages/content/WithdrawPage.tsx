import type { WithdrawProps } from '../../contracts/schema';
import { FormError } from '../../forms/call/FormError';
import { TextField } from '../../forms/TextField';
import { Button } from '../../ui/controls/Button';

/** Withdrawing from a contract in two steps. The forms are plain: they work before the script has loaded, and without. */
export function WithdrawPage({ title, step, values, errors }: WithdrawProps) {
  return (
    <div className="content">
      <div className="band">
        <div className="content__title-block">
          <h1 className="content__title">{title}</h1>
        </div>
      </div>
      <div className="content__columns stack content__columns--form">
        <section className="content__form" aria-label={title}>
          {step === 'sent' ? (
            <Sent />
          ) : step === 'confirm' ? (
            <Confirm {...{ values, errors }} />
          ) : (
            <Enter {...{ values, errors }} />
          )}
        </section>
      </div>
    </div>
  );
}

type StepProps = Pick<WithdrawProps, 'values' | 'errors'>;

function Enter({ values, errors }: StepProps) {
  return (
    <form className="contact-form panel" method="post" action="/withdraw" noValidate>
      <h2 className="contact-form__title">Step 1 of 2: your order</h2>
      <p>You need not give a reason, and you need not sign in.</p>
      <TextField
        id="withdraw-order"
        name="order"
        label="Code of the order"
        hint="It is in the mails about the order."
        autoComplete="off"
        maxLength={40}
        defaultValue={values.order}
        error={errors.order}
        required
      />
      <TextField
        id="withdraw-email"
        name="email"
        type="email"
        label="Email address of the order"
        autoComplete="email"
        maxLength={254}
        defaultValue={values.email}
        error={errors.email}
        required
      />
      <Button>Continue</Button>
    </form>
  );
}

function Confirm({ values, errors }: StepProps) {
  return (
    <form className="contact-form panel" method="post" action="/withdraw">
      <h2 className="contact-form__title">Step 2 of 2: confirm</h2>
      <p>
        I withdraw from the contract of order <strong>{values.order}</strong>. The receipt goes to{' '}
        <strong>{values.email}</strong>.
      </p>
      <input type="hidden" name="order" value={values.order} />
      <input type="hidden" name="email" value={values.email} />
      <FormError text={errors.form ?? ''} />
      <div className="row">
        <Button variant="accent" name="do" value="confirm">
          Confirm withdrawal
        </Button>
        <a className="button button--quiet" href={`/withdraw?order=${encodeURIComponent(values.order)}`}>
          Back
        </a>
      </div>
    </form>
  );
}

function Sent() {
  return (
    <div className="contact-form panel" role="status">
      <h2 className="contact-form__title">We have received it</h2>
      <p>
        If the code and the email address belong to an order, the receipt with date and time is on its way to
        that address. No mail after ten minutes? Check both and <a href="/withdraw">try again</a>, or{' '}
        <a href="/contact">write to us</a>.
      </p>
    </div>
  );
}
