import type { Attribute, Profile } from '../../api/account/account';
import { useSite } from '../../api/site';
import { textOf } from '../../forms/call/formValues';
import { SelectField } from '../../forms/SelectField';
import { TextField } from '../../forms/TextField';
import { choicesOf } from './choices';

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

/** The provider's schema lists the attributes. The browser can complete only the names in this table. */
export function AttributeFields({ attributes, values, errors }: AttributeFieldsProps) {
  const { locale } = useSite();
  return (
    <div className="account-fields">
      {attributes.map(({ name, title, required, minLength, maxLength }) => {
        const value = values[name] ?? '';
        const about = {
          id: `profile-${name}`,
          name,
          label: title,
          required,
          defaultValue: value,
          error: errors[name],
        };
        const choices = choicesOf(name, value, locale);
        if (choices) return <SelectField key={name} {...about} options={choices} />;
        return (
          <TextField
            key={name}
            {...about}
            type={typeOf(name)}
            minLength={minLength ?? undefined}
            maxLength={maxLength ?? undefined}
            autoComplete={AUTOCOMPLETE[name] ?? 'off'}
          />
        );
      })}
    </div>
  );
}

function typeOf(name: string): 'text' | 'email' | 'tel' {
  const kind = AUTOCOMPLETE[name];
  return kind === 'email' || kind === 'tel' ? kind : 'text';
}

/** The values of the form; an empty field removes the value. */
export function attributeValues(data: FormData, attributes: Attribute[]): Profile['profile'] {
  return Object.fromEntries(attributes.map(({ name }) => [name, textOf(data, name) || null]));
}

/** An error for each value that the provider would refuse. */
export function attributeErrors(values: Profile['profile'], attributes: Attribute[]): Record<string, string> {
  const wrong = attributes.flatMap(({ name, title, required, minLength }) => {
    const value = values[name] ?? '';
    if (!value) return required ? [[name, `${title} is required.`]] : [];
    return minLength !== null && [...value].length < minLength
      ? [[name, `Use at least ${minLength} characters.`]]
      : [];
  });
  return Object.fromEntries(wrong);
}
