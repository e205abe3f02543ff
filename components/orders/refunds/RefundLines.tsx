import type { RefundFormLine } from '../../contracts/schema';
import type { Format } from '../../format/format';
import { FieldError, fieldProps } from '../../forms/FieldShell';
import { type ChosenUnits, unitsOf } from './refundAmounts';

type RefundLinesProps = {
  lines: RefundFormLine[];
  chosen: ChosenUnits;
  format: Format;
  errors?: Record<string, string>;
  onChoose: (chosen: ChosenUnits) => void;
};

/** What was bought: each to choose with its number of units, or why it cannot be refunded. */
export function RefundLines({ lines, chosen, format, errors = {}, onChoose }: RefundLinesProps) {
  return (
    <ul className="refund__lines" aria-label="What you can return">
      {lines.map((line) => (
        <li key={line.number} className="refund__line">
          {line.quantity > 0 ? (
            <RefundLine
              line={line}
              units={unitsOf(chosen, line.number)}
              format={format}
              error={errors[`line.${line.number}`]}
              onChange={(units) => onChoose({ ...chosen, [line.number]: units })}
            />
          ) : (
            <>
              <span>{line.name}</span>
              <span className="hint">{line.refusal}</span>
            </>
          )}
        </li>
      ))}
    </ul>
  );
}

type RefundLineProps = {
  line: RefundFormLine;
  units: number;
  format: Format;
  error: string | undefined;
  onChange: (units: number) => void;
};

function RefundLine({ line, units, format, error, onChange }: RefundLineProps) {
  const id = `refund-line-${line.number}`;
  // The amount of all units before a choice: these are chosen by the first press.
  const amount = line.amounts[(units || line.quantity) - 1] ?? 0;
  return (
    <>
      <div className="refund__choice">
        <label className="check" htmlFor={id}>
          <input
            {...fieldProps(id, error)}
            name={`line.${line.number}`}
            type="checkbox"
            className="check__box"
            checked={units > 0}
            onChange={(event) => onChange(event.target.checked ? line.quantity : 0)}
          />
          <span>{line.name}</span>
        </label>
        {line.quantity > 1 && units > 0 && <UnitsField line={line} units={units} onChange={onChange} />}
        <span className="refund__price">{format.money(amount)}</span>
      </div>
      <FieldError id={id} error={error} />
    </>
  );
}

type UnitsFieldProps = { line: RefundFormLine; units: number; onChange: (units: number) => void };

function UnitsField({ line, units, onChange }: UnitsFieldProps) {
  return (
    <select
      className="field__input refund__units"
      name={`quantity.${line.number}`}
      aria-label={`How many of ${line.name}`}
      value={units}
      onChange={(event) => onChange(Number(event.target.value))}
    >
      {numbersTo(line.quantity).map((number) => (
        <option key={number} value={number}>
          {`${number} of ${line.quantity}`}
        </option>
      ))}
    </select>
  );
}

const numbersTo = (last: number) => Array.from({ length: last }, (_, index) => index + 1);
