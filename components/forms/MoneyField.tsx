import { useSite } from '../api/site';
import { FieldShell, fieldProps } from './FieldShell';
import { amountText, currencySymbol } from './moneyText';

type MoneyFieldProps = {
  id: string;
  name: string;
  label: string;
  /** In minor units. */
  defaultValue?: number | null;
  required?: boolean;
  error?: string | undefined;
  hint?: string | undefined;
};

/** An amount in the site's currency, written as its locale does. `minorOfText` reads it. */
export function MoneyField({ id, name, label, defaultValue = null, required, error, hint }: MoneyFieldProps) {
  const site = useSite();
  return (
    <FieldShell id={id} label={label} required={required} hint={hint} error={error}>
      <div className="money">
        <span className="money__currency" id={`${id}-currency`}>
          <span aria-hidden="true">{currencySymbol(site)}</span>
          <span className="sr-only">{site.currency.code}</span>
        </span>
        <input
          {...fieldProps(id, error, `${id}-currency`, hint && `${id}-hint`)}
          name={name}
          className="field__input money__input"
          type="text"
          inputMode="decimal"
          autoComplete="off"
          required={required}
          defaultValue={defaultValue === null ? '' : amountText(defaultValue, site)}
        />
      </div>
    </FieldShell>
  );
}
