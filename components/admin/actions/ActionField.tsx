import { organisationsNamed, productsNamed } from '../../api/admin/products';
import { membersNamed } from '../../api/organisation/picking';
import type { ActionPageProps } from '../../contracts/schema';
import { CheckboxField } from '../../forms/CheckboxField';
import { FormError } from '../../forms/call/FormError';
import { Picker } from '../../forms/Picker';
import { SelectField } from '../../forms/SelectField';
import { TextField } from '../../forms/TextField';
import { ProductLinesField } from './ProductLinesField';

type ActionFieldProps = {
  field: ActionPageProps['actions'][number]['fields'][number];
  id: string;
  error: string | undefined;
};

/** A field of an action: one line, several, or a choice. Of one that nobody sees, its error is seen. */
export function ActionField({ field, id, error }: ActionFieldProps) {
  const { name, label, kind, hint, isRequired, maxLength, value, options, href } = field;
  if (kind === 'fixed')
    return (
      <>
        <FormError text={error ?? ''} />
        <input type="hidden" name={name} value={value} />
      </>
    );
  const shared = { id, name, label, error, hint: hint || undefined, required: isRequired };
  if (kind === 'checked')
    return <CheckboxField {...{ id, name, label, error, value }} hint={href && <a href={href}>Read it</a>} />;
  if (kind === 'choice')
    return <SelectField {...shared} options={options} {...(value ? { defaultValue: value } : {})} />;
  if (kind === 'product') return <Picker {...shared} load={productsNamed} />;
  if (kind === 'products')
    return <ProductLinesField {...shared} maxLength={maxLength} defaultValue={value} />;
  if (kind === 'organisation')
    return <Picker {...shared} load={organisationsNamed} defaultValue={value || undefined} />;
  if (kind === 'member') return <Picker {...shared} load={membersNamed} />;
  return (
    <TextField
      {...shared}
      maxLength={maxLength}
      defaultValue={value}
      autoComplete="off"
      {...(kind === 'text' ? { rows: 8 } : {})}
    />
  );
}
