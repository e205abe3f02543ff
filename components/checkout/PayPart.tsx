import type { Checkout } from '../contracts/schema';
import type { Format } from '../format/format';
import { FieldError } from '../forms/FieldShell';
import { isolated } from '../model/isolated';
import { Button } from '../ui/controls/Button';
import { Icon, type IconName } from '../ui/Icon';

type PayPartProps = {
  checkout: Checkout;
  format: Format;
  /** Where the receipt goes. */
  email: string;
  isBusy: boolean;
  /** The error of the terms. */
  error: string | undefined;
};

/** What happens next, the terms that the button accepts, and the button. */
export function PayPart({ checkout, format, email, isBusy, error }: PayPartProps) {
  const { terms, isFree, refusals, paymentsRefusal } = checkout;
  const whole = refusals.filter(({ productId }) => productId === null).map(({ message }) => message);
  return (
    <section className="checkout__part checkout__pay panel" aria-labelledby="pay-title">
      <h2 className="heading-m" id="pay-title">
        {isFree ? 'Confirm your order' : 'Payment'}
      </h2>
      <ul className="checkout__steps">
        {nextSteps(checkout, email).map(([icon, text]) => (
          <li key={icon}>
            <Icon name={icon} />
            <span>{text}</span>
          </li>
        ))}
      </ul>
      <div className={error ? 'field field--wrong' : 'field'}>
        <input type="hidden" name="terms" value={terms.date} />
        {/* What is wrong with the terms has the focus. */}
        <p id="terms" aria-describedby={error && 'terms-error'} tabIndex={-1}>
          {`${terms.text} `}
          <a href={terms.href}>Read the policy</a>
        </p>
        <FieldError id="terms" error={error} />
      </div>
      {[...whole, ...(paymentsRefusal ? [paymentsRefusal] : [])].map((text) => (
        <p className="order-line__refusal" key={text}>
          {text}
        </p>
      ))}
      <Button variant="accent" isWide isBusy={isBusy} busyText="Ordering…" name="do" value="pay">
        {orderText(checkout, format)}
      </Button>
    </section>
  );
}

/** Without an amount while the tax is not known. */
function orderText({ isFree, totals }: Checkout, format: Format): string {
  if (isFree) return 'Order for free';
  return totals.missingArea ? 'Pay' : `Pay ${format.money(totals.totalMinor)}`;
}

function nextSteps({ isFree, reservedMinutes: minutes }: Checkout, email: string): [IconName, string][] {
  const receipt: [IconName, string] = ['mail', `The receipt goes to ${isolated(email)}.`];
  if (isFree) return [['shield', 'There is nothing to pay: no card is needed.'], receipt];
  return [
    ['shield', 'You pay on the secure page of our payment provider. We never see the number of your card.'],
    ['clock', `We keep what you order for ${minutes} minutes while you pay.`],
    receipt,
  ];
}
