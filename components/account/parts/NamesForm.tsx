import { type Attribute, type Profile, putProfile } from '../../api/account/account';
import { FormStatus } from '../../forms/call/FormStatus';
import { useCallForm } from '../../forms/call/useCallForm';
import { Button } from '../../ui/controls/Button';
import { AttributeFields, attributeErrors, attributeValues } from './AttributeFields';

type NamesFormProps = {
  profile: Profile;
  attributes: Attribute[];
  submit: string;
  onSaved: (profile: Profile) => void;
};

/** Some attributes of the profile. Saved together with the attributes that are not in the form. */
export function NamesForm({ profile, attributes, submit, onSaved }: NamesFormProps) {
  const form = useCallForm((values: Profile['profile']) => putProfile({ ...writable(profile), ...values }), {
    read: (data) => attributeValues(data, attributes),
    check: (values) => attributeErrors(values, attributes),
    onSuccess: onSaved,
    draft: `names ${attributes.length}`,
    asksBeforeLeaving: true,
  });

  return (
    <form className="account-form stack" {...form.formProps}>
      <FormStatus form={form} />
      <AttributeFields attributes={attributes} values={profile.profile} errors={form.errors} />
      <Button isBusy={form.isBusy} busyText="Saving…">
        {submit}
      </Button>
    </form>
  );
}

/** The provider replaces the whole set: an attribute that is not sent would be removed. */
function writable({ profile, attributes }: Profile): Profile['profile'] {
  const names = attributes.filter(({ isReadOnly }) => !isReadOnly).map(({ name }) => name);
  return Object.fromEntries(names.map((name) => [name, profile[name] ?? null]));
}
