import type { ActionPageProps } from '../../contracts/schema';
import { SelectField } from '../../forms/SelectField';
import { TextField } from '../../forms/TextField';

type ActionFieldProps = {
  field: ActionPageProps['actions'][number]['fields'][number];
  id: string;
  error: string | undefined;
};

/** A field of an action: one line, several, or a choice. */
export function ActionField({ field, id, error }: ActionFieldProps) {
  const { name, label, kind, hint, isRequired, maxLength, options } = field;
  const shared = { id, name, label, error, hint: hint || undefined, required: isRequired };
  if (kind === 'choice') return <SelectField {...shared} options={options} />;
  return (
    <TextField
      {...shared}
      maxLength={maxLength}
      autoComplete="off"
      {...(kind === 'text' ? { rows: 8 } : {})}
    />
  );
}
