import type { CheckoutGroupSchema } from '../contracts/schema';
import type { FieldErrors } from '../forms/call/callOutcome';
import { idOf } from './CheckoutField';

type ErrorSummaryProps = { errors: FieldErrors; forms: readonly CheckoutGroupSchema[] };

/** What is wrong, with links to the fields, in the order of the form. */
export function ErrorSummary({ errors, forms }: ErrorSummaryProps) {
  const names = Object.keys(errors);
  if (names.length === 0) return null;
  const labels = new Map(
    forms.flatMap(({ fields }) => fields.map(({ name, label }) => [name, label] as const)),
  );
  labels
    .set('service', 'Delivery service')
    .set('terms', 'Terms')
    .set('withdrawal.consent', 'Digital content');
  const order = [...labels.keys()].filter((name) => names.includes(name));
  const elsewhere = names.filter((name) => !labels.has(name));
  return (
    <section
      className="checkout__message checkout__message--wrong"
      id="errors"
      role="alert"
      aria-labelledby="errors-title"
      tabIndex={-1}
    >
      <h2 id="errors-title">
        {names.length === 1 ? 'One thing needs correcting' : `${names.length} things need correcting`}
      </h2>
      <ul>
        {order.map((name) => (
          <li key={name}>
            <a href={`#${idOf(name)}`}>{`${labels.get(name)}: ${errors[name]}`}</a>
          </li>
        ))}
        {elsewhere.map((name) => (
          <li key={name}>{errors[name]}</li>
        ))}
      </ul>
    </section>
  );
}
