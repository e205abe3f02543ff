import { useId } from 'react';
import fieldStyles from '../../static/css/fields.css?text';
import type { ApplicationForm as ApplicationValues } from '../contracts/schema';
import { CheckboxField } from '../forms/CheckboxField';
import { FormStatus } from '../forms/call/FormStatus';
import { errorsOf, textOf } from '../forms/call/formValues';
import { useCallForm } from '../forms/call/useCallForm';
import { TextField } from '../forms/TextField';
import { Button } from '../ui/controls/Button';
import { useStyles } from '../ui/useStyles';

type Initial = {
  name: string;
  slug: string;
  website: string;
  size: number;
  domains: string;
  request: string;
};

type ApplicationFormProps<R> = {
  /** What an application that is sent again begins with. */
  initial?: Initial;
  button: string;
  send: (values: ApplicationValues) => Promise<R>;
  onSuccess: (result: R) => void;
};

/** The form that applies for an organisation. */
export function ApplicationForm<R>({ initial, button, send, onSuccess }: ApplicationFormProps<R>) {
  useStyles(fieldStyles);
  const id = useId();
  const form = useCallForm(send, {
    read: readApplication,
    check: checkApplication,
    draft: 'organisation-application',
    onSuccess,
  });
  const field = (name: keyof Initial) => ({
    id: `${id}-${name}`,
    name,
    error: form.errors[name],
    required: name !== 'domains',
    defaultValue: initial ? String(initial[name]) : undefined,
  });
  return (
    <form className="area-form stack" {...form.formProps}>
      <FormStatus form={form} />
      <TextField
        {...field('name')}
        label="Name of the organisation"
        autoComplete="organization"
        maxLength={120}
      />
      <TextField
        {...field('slug')}
        label="Short name"
        hint="In the links of your organisation: 3 to 60 letters, digits and hyphens, such as northwind-foods."
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={60}
      />
      <TextField
        {...field('website')}
        label="Website"
        hint="Such as https://example.org"
        autoComplete="url"
        maxLength={255}
      />
      <TextField
        {...field('size')}
        label="How many people work or learn there"
        inputMode="numeric"
        maxLength={7}
      />
      <TextField
        {...field('domains')}
        label="Email domains"
        hint="One per line, such as example.org. We check them; then your people may join with such an address."
        rows={3}
        autoCapitalize="none"
        spellCheck={false}
      />
      <TextField
        {...field('request')}
        label="What do you need?"
        hint="Which courses, for how many people, from when."
        rows={6}
        maxLength={5000}
      />
      <CheckboxField
        id={`${id}-terms`}
        name="acceptsTerms"
        label="I may apply for this organisation, and accept the terms of the refund and grievance policy."
        error={form.errors.acceptsTerms}
      />
      <div>
        <Button isBusy={form.isBusy} busyText="Sending…">
          {button}
        </Button>
      </div>
    </form>
  );
}

function readApplication(data: FormData): ApplicationValues {
  return {
    name: textOf(data, 'name'),
    slug: textOf(data, 'slug'),
    website: textOf(data, 'website'),
    size: Number(textOf(data, 'size').replace(/[\s,.]/g, '')) || 0,
    domains: textOf(data, 'domains')
      .split(/[\s,;]+/)
      .filter(Boolean),
    request: textOf(data, 'request'),
    acceptsTerms: data.get('acceptsTerms') !== null,
  };
}

function checkApplication({ name, slug, website, size, request, acceptsTerms }: ApplicationValues) {
  return errorsOf({
    name: !name && 'Enter the name.',
    slug: !slug && 'Enter a short name.',
    website: !website && 'Enter the address of the website.',
    size: (!Number.isSafeInteger(size) || size < 1) && 'Enter a number.',
    request: !request && 'Say what you need.',
    acceptsTerms: !acceptsTerms && 'Accept the terms to apply.',
  });
}
