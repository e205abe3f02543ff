import { saveItemDelivery } from '../../api/admin/items';
import type { ItemDeliveryChange, ItemDeliveryProps } from '../../contracts/schema';
import { errorsOf, textOf } from '../../forms/call/formValues';
import { SelectField } from '../../forms/SelectField';
import { TextField } from '../../forms/TextField';
import { EditForm } from '../texts/EditForm';
import { useEditForm } from '../texts/useEditForm';

type Delivery = Omit<ItemDeliveryChange, 'version'>;

/** How many there are of a shop item, and how it reaches its buyer. */
export function ItemDeliveryForm(props: ItemDeliveryProps) {
  const { frame, fields, kinds, fulfilments, taxClasses } = props;
  const { form, field } = useEditForm(
    (delivery: Delivery, version) => saveItemDelivery(frame.courseId, { ...delivery, version }),
    fields as Delivery,
    {
      read: deliveryIn,
      check: ({ sku }) => errorsOf({ sku: !sku && 'Enter a stock number.' }),
      version: frame.version,
      draft: `item-delivery-${frame.courseId}`,
      saved: 'Stock and delivery are saved.',
    },
  );
  return (
    <EditForm form={form} save="Save stock and delivery">
      <SelectField {...field('itemKind')} label="Kind" options={kinds} />
      <TextField {...field('sku')} label="Stock number" maxLength={191} spellCheck={false} required />
      <TextField
        {...field('stock')}
        label="In stock"
        hint="What can still be sold, without what orders have reserved. Empty: as many as people want."
        inputMode="numeric"
      />
      <SelectField {...field('fulfilment')} label="How it reaches its buyer" options={fulfilments} />
      <TextField
        {...field('delivery')}
        label="Delivery in words"
        hint="As its page says it, such as: sent within two days."
        maxLength={500}
      />
      <TextField
        {...field('weightG')}
        label="Weight in grams"
        hint="Of one with its packing. 0: not known, which costs no postage."
        inputMode="numeric"
      />
      <SelectField {...field('taxClass')} label="Tax class" options={taxClasses} />
    </EditForm>
  );
}

function deliveryIn(data: FormData): Delivery {
  const count = (name: string) => Number(textOf(data, name).replace(/\D/g, '').slice(0, 9) || 0);
  return {
    itemKind: textOf(data, 'itemKind') as Delivery['itemKind'],
    sku: textOf(data, 'sku'),
    stock: textOf(data, 'stock') ? count('stock') : null,
    fulfilment: textOf(data, 'fulfilment') as Delivery['fulfilment'],
    delivery: textOf(data, 'delivery'),
    weightG: count('weightG'),
    taxClass: textOf(data, 'taxClass'),
  };
}
