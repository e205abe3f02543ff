import fieldStyles from '../../../static/css/fields.css?text';
import { ActionField } from '../../admin/actions/ActionField';
import type { Field } from '../../admin/actions/fieldValues';
import { useStyles } from '../../ui/useStyles';
import { Group, State } from '../guide/Guide';
import { UNBROKEN } from '../guide/texts';

const OPTIONS = [
  { value: 'beginner', label: 'Beginner' },
  { value: 'advanced', label: 'Advanced' },
];
const PICKED = [
  { value: 'payroll', text: 'Payroll Basics' },
  { value: 'long', text: UNBROKEN },
];

type Sample = Partial<Field> & { text: string; error: string };

/** Every kind: what it is called here, with a value, and what may be wrong with it. */
const KINDS: Record<Field['kind'], Sample> = {
  line: { text: 'One line', value: UNBROKEN, error: 'Enter a name.' },
  text: {
    text: 'Several lines',
    value: 'Dear learners,\nthe course begins.',
    rows: 3,
    error: 'Enter a text.',
  },
  markdown: { text: 'Markdown', value: '## What you learn', rows: 3, error: 'This heading has no text.' },
  choice: { text: 'One of several options', options: OPTIONS, value: 'advanced', error: 'Choose a level.' },
  choices: { text: 'Several options', options: OPTIONS, values: ['beginner'], error: 'Choose one or more.' },
  yes: { text: 'A box for yes', value: 'yes', error: 'It cannot be shown without a price.' },
  checked: { text: 'A box that sends its value', href: '/about', value: '1', error: 'Accept the terms.' },
  number: { text: 'A number', value: '12', error: 'Enter a whole number from 1 to 99.' },
  percent: { text: 'A percentage', value: '12.5', error: 'Enter a percentage up to 100.' },
  money: { text: 'An amount', value: '123450', error: 'Enter an amount above 0.' },
  time: { text: 'A time', value: '2026-12-01T05:00:00Z', error: 'This is before the start.' },
  day: { text: 'A day', value: '2026-12-01', error: 'This is before the first day.' },
  pick: { text: 'One of many things', picked: PICKED.slice(0, 1), error: 'There is no such course.' },
  picks: { text: 'Some of many things', picked: PICKED, error: 'Remove one of them.' },
  products: { text: 'Products', value: 'payroll-basics 39.00', error: 'Line 1: there is no such product.' },
  fixed: { text: 'A value that nobody sees', value: '1', error: 'The price has changed.' },
  fact: { text: 'A value that is only shown', value: 'Payroll Basics', error: '' },
};

/** The fields of forms that the server describes: each with a hint, and as it is when it is wrong. */
export function ActionFieldBlocks() {
  useStyles(fieldStyles);
  return (
    <Group id="actions" title="Fields of described forms" text="ActionForm draws them, by their kind.">
      {Object.entries(KINDS).map(([kind, { text, error, ...sample }]) => (
        <State key={kind} label={`${text} (${kind}): with a hint, wrong`}>
          <div className="guide__boxes">
            <div>
              <ActionField {...shared} id={`a-${kind}`} field={fieldOf(kind, sample)} error={undefined} />
            </div>
            <div>
              <ActionField
                {...shared}
                id={`a-${kind}-wrong`}
                field={fieldOf(kind, { ...sample, hint: '', isRequired: true })}
                error={error || undefined}
              />
            </div>
          </div>
        </State>
      ))}
    </Group>
  );
}

const shared = { isEditor: false };

const fieldOf = (kind: string, sample: Partial<Field>): Field => ({
  name: `action-${kind}`,
  label: 'Level',
  kind: kind as Field['kind'],
  hint: 'Shown in the shop.',
  isRequired: false,
  maxLength: 500,
  value: '',
  options: [],
  href: '',
  ...sample,
});
