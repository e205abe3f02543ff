import { type FormEvent, useState } from 'react';
import { type Attribute, type Profile, putProfile } from '../api/account';
import { useFirstError } from '../ui/FormProblem';
import { AttributeFields, attributeErrors, attributeValues } from './AttributeFields';
import { TaskProblem } from './SignInAgain';
import { useTask } from './useTask';

type NamesFormProps = {
  profile: Profile;
  attributes: Attribute[];
  submit: string;
  onSaved: (profile: Profile) => void;
};

/** Some attributes of the profile, saved together with those that are not shown. */
export function NamesForm({ profile, attributes, submit, onSaved }: NamesFormProps) {
  const task = useTask();
  const [found, setFound] = useState<Record<string, string>>({});
  const [misses, setMisses] = useState(0);
  const form = useFirstError(task.tries + misses);

  async function save(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const values = attributeValues(event.currentTarget, attributes);
    const wrong = attributeErrors(values, attributes);
    setFound(wrong);
    if (Object.keys(wrong).length > 0) return setMisses(misses + 1);
    await task.run(async () => onSaved(await putProfile({ ...writable(profile), ...values })));
  }

  return (
    <form
      ref={form}
      className="account-form"
      noValidate
      onSubmit={(event) => void save(event)}
      aria-busy={task.isBusy}
    >
      <TaskProblem task={task} />
      <AttributeFields
        attributes={attributes}
        values={profile.profile}
        errors={{ ...task.errors, ...found }}
      />
      <button type="submit" className="button" aria-disabled={task.isBusy}>
        {task.isBusy ? 'Saving…' : submit}
      </button>
    </form>
  );
}

/** The provider takes the whole set: what is left out would be taken away. */
function writable({ profile, attributes }: Profile): Profile['profile'] {
  const names = attributes.filter(({ isReadOnly }) => !isReadOnly).map(({ name }) => name);
  return Object.fromEntries(names.map((name) => [name, profile[name] ?? null]));
}
