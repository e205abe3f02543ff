import type { ContentEditProps } from '../../contracts/schema';
import type { FieldErrors } from '../../forms/call/callOutcome';
import { TextField } from '../../forms/TextField';

type RefundDaysFieldsProps = { id: string; refundDays: ContentEditProps['refundDays']; errors: FieldErrors };

/** In how many days what was bought may be refunded, by its kind. */
export function RefundDaysFields({ id, refundDays, errors }: RefundDaysFieldsProps) {
  return (
    <fieldset className="area-box">
      <legend className="heading-s">Refund terms</legend>
      <p>
        In how many days a refund may be requested. Orders keep the terms with which they were placed. The
        text above must say the same.
      </p>
      <div className="area-form">
        {refundDays.map(({ kind, label, hint, days }) => (
          <TextField
            key={kind}
            id={`${id}-refundDays-${kind}`}
            name={`refundDays.${kind}`}
            label={`${label}: days`}
            hint={hint}
            inputMode="numeric"
            defaultValue={`${days}`}
            required
            error={errors[`refundDays.${kind}`]}
          />
        ))}
      </div>
    </fieldset>
  );
}
