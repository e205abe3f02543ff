import { useId } from 'react';
import { useNavigate } from 'react-router-dom';
import { createItem } from '../../api/admin/items';
import type { NewItemProps, NewShopItem } from '../../contracts/schema';
import { FormStatus } from '../../forms/call/FormStatus';
import { errorsOf, textOf } from '../../forms/call/formValues';
import { useCallForm } from '../../forms/call/useCallForm';
import { SelectField } from '../../forms/SelectField';
import { TextField } from '../../forms/TextField';
import { Button } from '../../ui/controls/Button';

/** Begins a shop item: a draft. */
export function NewItemForm({ categories, kinds }: Pick<NewItemProps, 'categories' | 'kinds'>) {
  const id = useId();
  const navigate = useNavigate();
  const form = useCallForm(createItem, {
    read: (data) => ({
      name: textOf(data, 'name'),
      category: textOf(data, 'category'),
      itemKind: textOf(data, 'itemKind') as NewShopItem['itemKind'],
      sku: textOf(data, 'sku'),
    }),
    check: ({ name, category, itemKind, sku }) =>
      errorsOf({
        name: !name && 'Enter a name.',
        itemKind: !itemKind && 'Choose a kind.',
        category: !category && 'Choose a category.',
        sku: !sku && 'Enter a stock number.',
      }),
    draft: 'new-item',
    onSuccess: ({ id: itemId }) => navigate(`/admin/items/${itemId}`),
  });
  const field = (name: keyof NewShopItem) => ({ id: `${id}-${name}`, name, error: form.errors[name] });
  return (
    <form className="area-form area-box" {...form.formProps}>
      <FormStatus form={form} />
      <TextField {...field('name')} label="Name" maxLength={255} required />
      <SelectField {...field('itemKind')} label="Kind" options={kinds} required />
      <SelectField {...field('category')} label="Category" options={categories} required />
      <TextField
        {...field('sku')}
        label="Stock number"
        hint="Your own number of it; no other item has it."
        maxLength={191}
        spellCheck={false}
        required
      />
      <Button isBusy={form.isBusy} busyText="Creating…">
        Create draft
      </Button>
    </form>
  );
}
