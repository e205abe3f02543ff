import type { Attribute, Profile } from '../api/account';
import { Field } from '../ui/Field';

type AttributeFieldsProps = {
  attributes: Attribute[];
  values: Profile['profile'];
  errors: Record<string, string>;
};

const AUTOCOMPLETE: Record<string, string> = {
  firstName: 'given-name',
  middleName: 'additional-name',
  lastName: 'family-name',
  displayName: 'name',
  nickName: 'nickname',
  mobilePhone: 'tel',
  primaryPhone: 'tel',
  email: 'email',
  secondEmail: 'email',
  organization: 'organization',
  title: 'organization-title',
  streetAddress: 'street-address',
  city: 'address-level2',
  state: 'address-level1',
  zipCode: 'postal-code',
  countryCode: 'country',
};

/** The provider's schema says what there is; names it does not explain get no help from the browser. */
export function AttributeFields({ attributes, values, errors }: AttributeFieldsProps) {
  return (
    <div className="account-fields">
      {attributes.map(({ name, title, required, minLength, maxLength }) => (
        <Field
          key={name}
          id={`profile-${name}`}
          name={name}
          label={title}
          required={required}
          type={typeOf(name)}
          minLength={minLength ?? undefined}
          maxLength={maxLength ?? undefined}
          autoComplete={AUTOCOMPLETE[name] ?? 'off'}
          defaultValue={values[name] ?? ''}
          error={errors[name]}
        />
      ))}
    </div>
  );
}

function typeOf(name: string): 'text' | 'email' | 'tel' {
  const kind = AUTOCOMPLETE[name];
  return kind === 'email' || kind === 'tel' ? kind : 'text';
}

/** What was typed; an emptied field takes the value away. */
export function attributeValues(form: HTMLFormElement, attributes: Attribute[]): Profile['profile'] {
  const data = new FormData(form);
  return Object.fromEntries(
    attributes.map(({ name }) => [name, String(data.get(name) ?? '').trim() || null]),
  );
}

/** A sentence for each field that the provider would refuse anyway. */
export function attributeErrors(values: Profile['profile'], attributes: Attribute[]): Record<string, string> {
  const wrong = attributes.flatMap(({ name, title, required, minLength }) => {
    const value = values[name] ?? '';
    if (!value) return required ? [[name, `${title} is needed.`]] : [];
    return minLength !== null && [...value].length < minLength
      ? [[name, `At least ${minLength} characters are needed.`]]
      : [];
  });
  return Object.fromEntries(wrong);
}
