import { useId } from 'react';

type ProgressProps = {
  label: string;
  /** Null: it is not known how much is done. */
  value: number | null;
  max?: number;
  /** The value in words, such as "42 of 100". */
  text?: string;
  /** For tables, whose column has the label. */
  isLabelHidden?: boolean;
};

/** The progress of a task, labelled. Its style sheet is progress.css. */
export function Progress({ label, value, max = 100, text, isLabelHidden = false }: ProgressProps) {
  const id = useId();
  return (
    <div className="progress">
      <div className="progress__words row">
        <label className={isLabelHidden ? 'sr-only' : 'progress__label'} htmlFor={id}>
          {label}
        </label>
        {text && (
          <span className="hint" id={`${id}-text`}>
            {text}
          </span>
        )}
      </div>
      {/* Without a value the browser takes it for indeterminate. */}
      <progress
        id={id}
        className="progress__bar"
        max={max}
        value={value ?? undefined}
        aria-describedby={text && `${id}-text`}
      />
    </div>
  );
}
