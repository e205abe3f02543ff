import type { MouseEvent, ReactNode } from 'react';

export type ButtonVariant = 'main' | 'quiet' | 'accent' | 'ghost' | 'danger' | 'text' | 'text-quiet';

type ButtonProps = {
  variant?: ButtonVariant;
  isWide?: boolean;
  /** Its call is under way: it shows `busyText`, keeps its width, and a second press does nothing. */
  isBusy?: boolean;
  busyText?: string;
  /** Not possible now, for example while another call is under way. */
  isDisabled?: boolean;
  /** Without it the button submits its form. */
  onClick?: (() => void) | undefined;
  /** The accessible name, where the text alone is not clear. It begins with the text. */
  label?: string;
  /** Tells which of several submit buttons of a form was pressed. */
  name?: string;
  value?: string;
  children: ReactNode;
};

/** A button in the site's styles. It stays focusable while it is disabled. */
export function Button(props: ButtonProps) {
  const { isBusy = false, busyText, isDisabled = false, onClick, label, name, value, children } = props;
  const isOff = isBusy || isDisabled;

  function press(event: MouseEvent) {
    if (isOff) event.preventDefault();
    else onClick?.();
  }

  return (
    <button
      type={onClick ? 'button' : 'submit'}
      className={classOf(props)}
      name={name}
      value={value}
      aria-label={label}
      aria-disabled={isOff || undefined}
      aria-busy={isBusy || undefined}
      onClick={press}
    >
      {busyText ? (
        <span className="button__words">
          <span aria-hidden={isBusy}>{children}</span>
          <span aria-hidden={!isBusy}>
            <span className="button__ring ring" />
            {busyText}
          </span>
        </span>
      ) : (
        children
      )}
    </button>
  );
}

function classOf({ variant = 'main', isWide = false }: ButtonProps): string {
  if (variant === 'text') return 'text-button';
  if (variant === 'text-quiet') return 'text-button text-button--quiet';
  return `button${variant === 'main' ? '' : ` button--${variant}`}${isWide ? ' button--wide' : ''}`;
}
