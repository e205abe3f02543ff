import { useState } from 'react';
import type { CheckoutFieldSchema, CheckoutGroupSchema } from '../contracts/schema';
import { CheckoutField, type FieldContext } from './CheckoutField';

type FormPartProps = { group: CheckoutGroupSchema; context: FieldContext };

/** The fields under one heading. */
export function FormPart({ group, context }: FormPartProps) {
  return (
    <fieldset className="checkout__part panel">
      <legend>
        <h2 className="heading-m">{group.legend}</h2>
      </legend>
      <Fields fields={group.fields} context={context} />
    </fieldset>
  );
}

const GIFT_HINT =
  'A gift is for the person with that email address, and not among your own courses. We write to them with a link once it is paid, or on the day that you choose.';

type GiftPartProps = { groups: readonly CheckoutGroupSchema[]; context: FieldContext };

/** What may be given to somebody else, a line of the order each; most people give nothing. */
export function GiftPart({ groups, context }: GiftPartProps) {
  const hasGift = groups.some(({ fields }) => fields.length > 1);
  const [isOpen, setIsOpen] = useState(hasGift);
  if (groups.length === 0) return null;
  return (
    <details
      className="checkout__part checkout__gifts panel"
      open={isOpen}
      onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}
    >
      <summary>
        <h2 className="heading-m">Is any of this a gift?</h2>
      </summary>
      <p className="checkout__gift-hint hint">{GIFT_HINT}</p>
      {groups.map(({ productId, legend, fields }) => (
        <fieldset className="checkout__choice checkout__gift" key={productId}>
          <legend className="field__label">{legend}</legend>
          <Fields fields={fields} context={context} />
        </fieldset>
      ))}
    </details>
  );
}

function Fields({ fields, context }: { fields: readonly CheckoutFieldSchema[]; context: FieldContext }) {
  return (
    <div className="checkout__address">
      {fields.map((field) => (
        <div className={cellClass(field)} key={field.name}>
          <CheckoutField field={field} context={context} />
        </div>
      ))}
    </div>
  );
}

const HALF = new Set(['postal_code', 'city', 'country_area', 'city_area', 'sorting_code', 'send_at']);

/** Short parts of an address are beside one another where there is room. */
function cellClass({ name }: CheckoutFieldSchema): string {
  return HALF.has(name.split('.').at(-1) ?? '') ? 'checkout__cell--half' : 'checkout__cell';
}
