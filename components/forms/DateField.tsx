import { localText } from '../format/zonedTime';
import { FieldShell, fieldProps } from './FieldShell';

type DateFieldProps = {
  id: string;
  name: string;
  label: string;
  /** IANA name of the zone in which the time is meant, such as "Europe/Berlin"; said below the label. */
  zone: string;
  /** An instant, ISO 8601. */
  defaultValue?: string | null;
  required?: boolean;
  error?: string | undefined;
  /** Said before the zone. */
  hint?: string | undefined;
};

/** Date and time of day in a zone. `instantOf` reads it. */
export function DateField({
  id,
  name,
  label,
  zone,
  defaultValue = null,
  required,
  error,
  hint,
}: DateFieldProps) {
  const inZone = `Time in ${zone.replaceAll('_', ' ')}`;
  return (
    <FieldShell
      id={id}
      label={label}
      required={required}
      hint={hint ? `${hint} ${inZone}.` : inZone}
      error={error}
    >
      <input
        {...fieldProps(id, error, `${id}-hint`)}
        name={name}
        className="field__input field__input--date"
        type="datetime-local"
        required={required}
        defaultValue={defaultValue === null ? '' : localText(defaultValue, zone)}
      />
    </FieldShell>
  );
}
