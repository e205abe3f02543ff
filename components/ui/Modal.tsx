import { type MouseEvent, type ReactNode, useEffect, useRef } from 'react';

type ModalProps = {
  /** Id of the heading inside that names it. */
  labelledBy: string;
  className: string;
  /** `answer` is the value of the button that closed it, "" for every other way out. */
  onClose: (answer: string) => void;
  children: ReactNode;
};

/**
 * A modal dialog that is open for as long as it is drawn: the browser keeps the focus inside, closes it with Esc and
 * gives the focus back to where it was. A click beside it closes it, too.
 */
export function Modal({ labelledBy, className, onClose, children }: ModalProps) {
  const dialog = useRef<HTMLDialogElement>(null);

  useEffect(() => {
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
