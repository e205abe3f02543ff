import { useId, useState } from 'react';
import { previewRefund, refundLines } from '../../api/admin/orders';
import { useRefresh } from '../../api/session/privatePage';
import { useSite } from '../../api/site';
import type { AdminOrderProps, AdminRefundPreview } from '../../contracts/schema';
import { formatOf } from '../../format/format';
import { CheckboxField } from '../../forms/CheckboxField';
import { FormStatus } from '../../forms/call/FormStatus';
import { useCallForm } from '../../forms/call/useCallForm';
import { TextField } from '../../forms/TextField';
import { newUuid } from '../../model/uuid';
import { Button } from '../../ui/controls/Button';
import { notify } from '../../ui/toasts/toasts';
import { Fold } from '../Fold';
import { RefundPreview } from './RefundPreview';
import { chosenLines, type RefundValues, readRefund, refundErrors, unitsField } from './refundValues';

type RefundFormProps = Pick<AdminOrderProps, 'code' | 'refundLines'>;

/** Refunds units of lines in two steps: what it would do is shown before it is done. */
export function RefundForm({ code, refundLines: lines }: RefundFormProps) {
  const id = useId();
  const format = formatOf(useSite());
  const refresh = useRefresh();
  const [key, setKey] = useState(newUuid);
  const [preview, setPreview] = useState<AdminRefundPreview | null>(null);
  const [keepsAccess, setKeepsAccess] = useState(false);

  async function send(values: RefundValues): Promise<AdminRefundPreview | null> {
    const choice = { lines: chosenLines(values), keepsAccess: values.keepsAccess };
    if (preview === null) return previewRefund(code, choice);
    const { restocks, reason } = values;
    await refundLines(code, {
      ...choice,
      amountMinor: preview.amountMinor,
      restocks,
      reason,
      idempotencyKey: key,
    });
    return null;
  }

  function done(shown: AdminRefundPreview | null, element: HTMLFormElement) {
    setPreview(shown);
    // Nothing was sent yet: what is typed must outlive a new sign-in.
    if (shown) return form.draft.save();
    notify('success', 'The refund is on its way.');
    element.reset();
    setKey(newUuid());
    refresh().catch(() => undefined);
  }

  const form = useCallForm(send, {
    read: (data) => readRefund(data, lines),
    check: (values) => refundErrors(values, lines),
    draft: `refund-${code}`,
    onSuccess: done,
  });
  const { onInput, ...formProps } = form.formProps;
  return (
    <Fold title="Refund lines" isOpen={form.draft.isRestored}>
      <form
        className="area-form"
        {...formProps}
        onInput={(event) => {
          // It was of other values.
          setPreview(null);
          setKeepsAccess(new FormData(event.currentTarget).has('keepsAccess'));
          onInput();
        }}
      >
        <FormStatus form={form} />
        {lines.map(({ number, name, quantity, amountMinor, note }) => (
          <TextField
            key={number}
            id={`${id}-${number}`}
            name={unitsField(number)}
            label={`Units of ${name}`}
            hint={`Up to ${quantity}, together ${format.money(amountMinor)}. ${note}`.trim()}
            inputMode="numeric"
            autoComplete="off"
            maxLength={6}
            error={form.errors[unitsField(number)]}
          />
        ))}
        <CheckboxField
          id={`${id}-keeps`}
          name="keepsAccess"
          label="Access, codes and gifts stay valid"
          error={form.errors.keepsAccess}
        />
        {lines.some(({ isGoods }) => isGoods) && (
          <CheckboxField id={`${id}-restocks`} name="restocks" label="Returned goods are for sale again" />
        )}
        <TextField
          id={`${id}-reason`}
          name="reason"
          label="Reason"
          hint="It is recorded for good. Name nobody in it."
          maxLength={500}
          required
          error={form.errors.reason}
        />
        <div role="status">
          {preview && <RefundPreview preview={preview} keepsAccess={keepsAccess} format={format} />}
        </div>
        <Button variant={preview ? 'danger' : 'main'} isBusy={form.isBusy} busyText="Please wait…">
          {preview ? `Refund ${format.money(preview.amountMinor)}` : 'Show what it does'}
        </Button>
      </form>
    </Fold>
  );
}
