import type { ReactNode } from 'react';

type BusyButtonProps = {
  isBusy: boolean;
  /** The text while the call is under way. */
  busy: string;
  className?: string;
  /** Without it the button submits its form. */
  onClick?: () => void;
  children: ReactNode;
};

/** A button that starts a call. It stays focusable while the call is under way. */
export function BusyButton({ isBusy, busy, className = 'button', onClick, children }: BusyButtonProps) {
  return (
    <button
      type={onClick ? 'button' : 'submit'}
      className={className}
      aria-disabled={isBusy}
      onClick={onClick}
    >
      {isBusy ? busy : children}
    </button>
  );
}
