import { useState } from 'react';
import fieldStyles from '../../../static/css/fields.css?text';
import { ApiProblem } from '../../api/client';
import { CheckboxField } from '../../forms/CheckboxField';
import { FormStatus } from '../../forms/call/FormStatus';
import { errorsOf, textOf } from '../../forms/call/formValues';
import { useCallForm } from '../../forms/call/useCallForm';
import { DateField } from '../../forms/DateField';
import { MoneyField } from '../../forms/MoneyField';
import { OneTimeCodeField } from '../../forms/OneTimeCodeField';
import { PasswordField } from '../../forms/PasswordField';
import { SelectField } from '../../forms/SelectField';
import { TextField } from '../../forms/TextField';
import { Button } from '../../ui/controls/Button';
import { useStyles } from '../../ui/useStyles';
import { Group, State } from '../guide/Guide';

const LEVELS = [
  { value: 'beginner', label: 'Beginner' },
  { value: 'advanced', label: 'Advanced' },
];
const ZONE = 'America/New_York';

/** Each field, and a form with every answer that a call may give. */
export function FormBlocks() {
  useStyles(fieldStyles);
  return (
    <>
      <Group id="fields" title="Fields">
        <State label="Amount: plain, with a value, wrong">
          <div className="guide__boxes">
            <MoneyField id="f-price" name="price" label="Price" />
            <MoneyField id="f-sale" name="sale" label="Sale price" defaultValue={1_234_50} required />
            <MoneyField
              id="f-bad"
              name="bad"
              label="Limit"
              defaultValue={0}
              error="Enter an amount above 0."
            />
          </div>
        </State>
        <State label="Date and time in a zone: empty, with a value, wrong">
          <div className="guide__boxes">
            <DateField id="f-from" name="from" label="Starts" zone={ZONE} />
            <DateField
              id="f-to"
              name="to"
              label="Ends"
              zone={ZONE}
              defaultValue="2026-12-01T05:00:00Z"
              required
            />
            <DateField id="f-past" name="past" label="Ends" zone={ZONE} error="This is before the start." />
          </div>
        </State>
        <State label="Select: to be chosen, chosen, wrong">
          <div className="guide__boxes">
            <SelectField id="f-level" name="level" label="Level" options={LEVELS} required />
            <SelectField id="f-set" name="set" label="Level" options={LEVELS} defaultValue="advanced" />
            <SelectField id="f-none" name="none" label="Level" options={LEVELS} error="Choose a level." />
          </div>
        </State>
        <State label="Checkbox: plain, with a hint, wrong; password; code">
          <div className="guide__boxes">
            <CheckboxField id="f-check" name="check" label="Show it in the shop" isChecked />
            <CheckboxField id="f-mail" name="mail" label="Tell the buyers" hint="By email, at once." />
            <CheckboxField
              id="f-terms"
              name="terms"
              label="I have read the terms"
              error="Accept the terms."
            />
            <PasswordField id="f-secret" name="secret" label="Password" autoComplete="off" />
            <OneTimeCodeField id="f-code" name="code" label="Code" hint="We sent it to you." />
          </div>
        </State>
      </Group>
      <Group
        id="form"
        title="A form and its answers"
        text="Choose an answer, change a field and save. What is typed stays, also after a reload."
      >
        <State label="Errors at fields and elsewhere; a conflict; a failure; a draft; leaving">
          <TryForm />
        </State>
      </Group>
    </>
  );
}

type Course = { name: string; answer: string };

const ANSWERS = [
  { value: 'saved', label: 'Saved' },
  { value: 'fields', label: 'Fields are wrong' },
  { value: 'conflict', label: 'Somebody else changed it' },
  { value: 'away', label: 'The site is unavailable' },
  { value: 'signIn', label: 'A newer sign-in is required' },
];
const PROBLEMS: Record<string, ConstructorParameters<typeof ApiProblem>[0]> = {
  fields: {
    status: 422,
    title: 'Invalid',
    errors: {
      name: 'Another course has this name.',
      'seo.title': 'The title for search engines is too long.',
    },
  },
  away: { status: 503, title: 'Unavailable', retryAfterS: 20 },
  signIn: {
    status: 403,
    title: 'No',
    detail: 'insufficient_authentication_context',
    members: { maxAge: 600 },
  },
};

function TryForm() {
  const [saved, setSaved] = useState(0);
  const form = useCallForm(save, {
    read: (data) => ({ name: textOf(data, 'name'), answer: textOf(data, 'answer') }),
    check: ({ name }) => errorsOf({ name: !name && 'Enter a name.' }),
    onSuccess: () => setSaved((count) => count + 1),
    draft: 'styleguide',
    version: 1,
    asksBeforeLeaving: true,
  });
  return (
    <form className="guide__fields" {...form.formProps}>
      <FormStatus form={form} />
      <TextField id="try-name" name="name" label="Name" required error={form.errors.name} />
      <SelectField id="try-answer" name="answer" label="Answer" options={ANSWERS} defaultValue="saved" />
      <p className="guide__row row">
        <Button isBusy={form.isBusy} busyText="Saving…">
          Save
        </Button>
        <span role="status">{saved > 0 && `Saved ${saved} times.`}</span>
      </p>
    </form>
  );
}

/** A call that answers after a moment, as chosen. */
async function save({ name, answer }: Course, version: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 800));
  const problem = PROBLEMS[answer];
  if (problem) throw new ApiProblem(problem);
  if (answer !== 'conflict' || version > 1) return;
  const conflict = {
    version: version + 1,
    changedBy: 'Bo Sand',
    changedAt: '2026-11-22T09:30:00Z',
    values: { name: `${name}, revised`, answer: 'saved' },
  };
  throw new ApiProblem({ status: 409, title: 'Conflict', members: { conflict } });
}
