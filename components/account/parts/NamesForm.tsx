import { type Attribute, type Profile, putProfile } from '../../api/account';
import { BusyButton } from '../../forms/BusyButton';
import { useCallForm } from '../../forms/useCallForm';
import { AttributeFields, attributeErrors, attributeValues } from './AttributeFields';
import { SubmitError } from './SignInAgain';
import { useSubmit } from './useSubmit';

type NamesFormProps = {
  profile: Profile;
  attributes: Attribute[];
  submit: string;
  onSaved: (profile: Profile) => void;
};

/** Some attributes of the profile. Saved together with the attributes that are not in the form. */
export function NamesForm({ profile, attributes, submit, onSaved }: NamesFormProps) {
  const task = useSubmit();
  const { errors, formProps } = useCallForm({
    call: task,
    read: (data) => attributeValues(data, attributes),
    check: (values) => attributeErrors(values, attributes),
    send: (values) => task.run(async () => onSaved(await putProfile({ ...writable(profile), ...values }))),
  });

  return (
    <form className="account-form stack" {...formProps}>
      <SubmitError task={task} />
      <AttributeFields attributes={attributes} values={profile.profile} errors={errors} />
      <BusyButton isBusy={task.isBusy} busy="Saving…">
        {submit}
      </BusyButton>
    </form>
  );
}

/** The provider replaces the whole set: an attribute that is not sent would be removed. */
function writable({ profile, attributes }: Profile): Profile['profile'] {
  const names = attributes.filter(({ isReadOnly }) => !isReadOnly).map(({ name }) => name);
  return Object.fromEntries(names.map((name) => [name, profile[name] ?? null]));
}
