import { type MouseEvent, type ReactNode, useLayoutEffect, useRef } from 'react';

type ModalProps = {
  /** Id of the heading inside it that is its label. */
  labelledBy: string;
  className: string;
  /** `answer` is the value of the button that closed it, "" when it was closed otherwise. */
  onClose: (value: string) => void;
  children: ReactNode;
};

/**
 * A modal dialog that is open while it is rendered: the browser keeps the focus inside, closes it on Esc and restores
 * the focus. A click outside closes it too.
 */
export function Modal({ labelledBy, className, onClose, children }: ModalProps) {
  const dialog = useRef<HTMLDialogElement>(null);

  // A layout effect: the browser restores the focus only if the dialog is closed before it leaves the page.
  useLayoutEffect(() => {
    const element = dialog.current;
    if (element && !element.open) element.showModal();
    return () => element?.close();
  }, []);

  function closeBeside(event: MouseEvent) {
    // Clicks on what is inside never have the dialog itself as their target: it has no padding.
    if (event.target === dialog.current) dialog.current?.close();
  }

  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Esc closes it
    <dialog
      ref={dialog}
      className={className}
      aria-labelledby={labelledBy}
      onClose={(event) => onClose(event.currentTarget.returnValue)}
      onClick={closeBeside}
    >
      {children}
    </dialog>
  );
}
