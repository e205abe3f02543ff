import { FieldError, fieldProps } from './FieldShell';

type CheckboxFieldProps = {
  id: string;
  name: string;
  label: string;
  isChecked?: boolean;
  error?: string | undefined;
  hint?: string | undefined;
};

export function CheckboxField({ id, name, label, isChecked = false, error, hint }: CheckboxFieldProps) {
  return (
    <div className={error ? 'field field--wrong' : 'field'}>
      <label className="check" htmlFor={id}>
        <input
          {...fieldProps(id, error, hint && `${id}-hint`)}
          name={name}
          type="checkbox"
          className="check__box"
          defaultChecked={isChecked}
        />
        <span>{label}</span>
      </label>
      {hint && (
        <p className="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      <FieldError id={id} error={error} />
    </div>
  );
}
