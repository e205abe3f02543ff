import { useId, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import fieldStyles from '../../../static/css/fields.css?text';
import { createBatch } from '../../api/admin/coupons';
import type { NewCouponProps } from '../../contracts/schema';
import { FormStatus } from '../../forms/call/FormStatus';
import { useCallForm } from '../../forms/call/useCallForm';
import { TextField } from '../../forms/TextField';
import { Button } from '../../ui/controls/Button';
import { useStyles } from '../../ui/useStyles';
import { batchErrors, readBatch } from './couponValues';
import { TermFields } from './TermFields';

/** Makes many codes with the same terms; the page of the batch shows how far it is. */
export function NewBatchForm(terms: NewCouponProps) {
  useStyles(fieldStyles);
  const id = useId();
  const navigate = useNavigate();
  // One for this form: a second press makes no second batch.
  const [key] = useState(() => crypto.randomUUID());
  const form = useCallForm(({ batch }: ReturnType<typeof readBatch>) => createBatch(batch, key), {
    read: readBatch,
    check: batchErrors,
    draft: 'new-coupon-batch',
    onSuccess: (created) => navigate(`/admin/coupons/batches/${created.id}`),
  });
  const field = (name: string) => ({ id: `${id}-${name}`, name, error: form.errors[name] });
  return (
    <form className="area-form area-box" {...form.formProps}>
      <FormStatus form={form} />
      <TextField
        {...field('number')}
        label="How many codes"
        hint="Up to 10,000."
        inputMode="numeric"
        autoComplete="off"
        maxLength={5}
        required
      />
      <TextField
        {...field('prefix')}
        label="They begin with"
        hint="Letters, digits and hyphens, such as SPRING; empty for nothing."
        autoComplete="off"
        spellCheck={false}
        maxLength={32}
      />
      <TermFields {...terms} field={field} />
      <Button isBusy={form.isBusy} busyText="Starting…">
        Make the codes
      </Button>
    </form>
  );
}
