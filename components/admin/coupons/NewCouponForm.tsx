import { useId } from 'react';
import { useNavigate } from 'react-router-dom';
import fieldStyles from '../../../static/css/fields.css?text';
import { createCoupon } from '../../api/admin/coupons';
import type { NewCouponProps } from '../../contracts/schema';
import { FormStatus } from '../../forms/call/FormStatus';
import { useCallForm } from '../../forms/call/useCallForm';
import { TextField } from '../../forms/TextField';
import { Button } from '../../ui/controls/Button';
import { useStyles } from '../../ui/useStyles';
import { couponErrors, readCoupon } from './couponValues';
import { TermFields } from './TermFields';

/** Creates one coupon with all its terms. */
export function NewCouponForm(terms: NewCouponProps) {
  useStyles(fieldStyles);
  const id = useId();
  const navigate = useNavigate();
  const form = useCallForm(({ coupon }: ReturnType<typeof readCoupon>) => createCoupon(coupon), {
    read: readCoupon,
    check: couponErrors,
    draft: 'new-coupon',
    onSuccess: (created) => navigate(`/admin/coupons/${created.id}`),
  });
  const field = (name: string) => ({ id: `${id}-${name}`, name, error: form.errors[name] });
  return (
    <form className="area-form area-box" {...form.formProps}>
      <FormStatus form={form} />
      <TextField
        {...field('code')}
        label="Code"
        maxLength={64}
        autoComplete="off"
        spellCheck={false}
        required
      />
      <TermFields {...terms} field={field} />
      <Button isBusy={form.isBusy} busyText="Creating…">
        Create coupon
      </Button>
    </form>
  );
}
