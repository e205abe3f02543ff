import { useId } from 'react';
import { type CouponAction, changeCoupon } from '../../api/admin/coupons';
import { useRefresh } from '../../api/session/privatePage';
import type { CouponProps } from '../../contracts/schema';
import { FormStatus } from '../../forms/call/FormStatus';
import { errorsOf, textOf } from '../../forms/call/formValues';
import { useCallForm } from '../../forms/call/useCallForm';
import { TextField } from '../../forms/TextField';
import { notify } from '../../ui/toasts/toasts';
import { Fold } from '../Fold';

const TEXTS: Record<CouponAction, { button: string; done: string }> = {
  pause: { button: 'Pause', done: 'is paused now.' },
  resume: { button: 'Put into use', done: 'is in use now.' },
  end: { button: 'End for good', done: 'has ended.' },
};

type CouponActionsProps = Pick<CouponProps, 'id' | 'code' | 'stateActions'>;

/** Pauses, resumes and ends a coupon, each with the reason that is recorded. */
export function CouponActions({ id, code, stateActions: actions }: CouponActionsProps) {
  const fieldId = useId();
  const refresh = useRefresh();
  const form = useCallForm(
    async ({ action, reason }: { action: CouponAction; reason: string }) => {
      await changeCoupon(id, action, { reason });
      return action;
    },
    {
      read: (data) => ({ action: textOf(data, 'action') as CouponAction, reason: textOf(data, 'reason') }),
      check: ({ reason }) => errorsOf({ reason: !reason && 'Say why, for the record.' }),
      draft: `coupon-${id}`,
      onSuccess: (action, element) => {
        element.reset();
        notify('success', `${code} ${TEXTS[action].done}`);
        refresh().catch(() => undefined);
      },
    },
  );
  if (actions.length === 0) return null;
  return (
    <div className="area-folds">
      <Fold title="Change its state" isOpen={form.draft.isRestored}>
        <p className="muted">What was ordered with it stays as it is.</p>
        <form className="area-form" {...form.formProps}>
          <FormStatus form={form} />
          <TextField
            id={`${fieldId}-reason`}
            name="reason"
            label="Reason"
            hint="It is recorded for good. Name nobody in it."
            maxLength={500}
            required
            error={form.errors.reason}
          />
          <p className="area-form__buttons row">
            {actions.map((action) => (
              <button
                key={action}
                type="submit"
                name="action"
                value={action}
                className={action === 'end' ? 'button button--danger' : 'button'}
                aria-disabled={form.isBusy || undefined}
              >
                {TEXTS[action].button}
              </button>
            ))}
          </p>
        </form>
      </Fold>
    </div>
  );
}
