import { useId, useState } from 'react';
import fieldStyles from '../../../static/css/fields.css?text';
import { priceInLab } from '../../api/admin/coupons';
import { productsNamed } from '../../api/admin/products';
import type { CouponLabProps, CouponLabQuote } from '../../contracts/schema';
import { FormStatus } from '../../forms/call/FormStatus';
import { useCallForm } from '../../forms/call/useCallForm';
import { DateField } from '../../forms/DateField';
import { Picker, type PickerOption } from '../../forms/Picker';
import { SelectField } from '../../forms/SelectField';
import { TextField } from '../../forms/TextField';
import { Button } from '../../ui/controls/Button';
import { useStyles } from '../../ui/useStyles';
import { ZONE } from '../actions/fieldValues';
import { LabResult } from './LabResult';
import { labErrors, readLab } from './labValues';

/** Prices any cart with any codes, and reserves nothing. */
export function CouponLab({ organisations, mayNameLearner }: CouponLabProps) {
  useStyles(fieldStyles);
  const id = useId();
  const [quote, setQuote] = useState<CouponLabQuote | null>(null);
  const form = useCallForm(({ cart }: ReturnType<typeof readLab>) => priceInLab(cart), {
    read: readLab,
    check: labErrors,
    onSuccess: setQuote,
  });
  /** As a line of its own at the end of those that are there. */
  function addLine({ value }: PickerOption) {
    const lines = form.formProps.ref.current?.elements.namedItem('lines');
    if (!(lines instanceof HTMLTextAreaElement)) return;
    lines.value = [...lines.value.split('\n').filter(Boolean), `${value} 1`].join('\n');
  }

  const field = (name: string) => ({ id: `${id}-${name}`, name, error: form.errors[name] });
  return (
    <>
      <form className="area-form area-box" {...form.formProps}>
        <FormStatus form={form} />
        <Picker
          {...field('product')}
          label="Add a product"
          hint="A part of its name; picking it adds a line below."
          load={productsNamed}
          onPick={addLine}
        />
        <TextField
          {...field('lines')}
          label="Products"
          hint="One a line. After each write the quantity and a code, such as course:vat-basics 2 SPRING15."
          autoComplete="off"
          spellCheck={false}
          rows={4}
          required
        />
        <TextField {...field('code')} label="Code on the whole cart" maxLength={64} autoComplete="off" />
        <SelectField {...field('organisation')} label="Member of" options={organisations} defaultValue="" />
        {mayNameLearner && (
          <TextField
            {...field('studentNumber')}
            label="Student number"
            hint="Prices the cart for this learner, with their organisations and former uses. It is recorded."
            maxLength={40}
            autoComplete="off"
          />
        )}
        <DateField {...field('at')} label="At another time" zone={ZONE} />
        <Button isBusy={form.isBusy} busyText="Pricing…">
          Price it
        </Button>
      </form>
      <div role="status">{quote && <LabResult quote={quote} />}</div>
    </>
  );
}
