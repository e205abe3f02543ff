import { type KeyboardEvent, type ReactNode, useId, useState } from 'react';
import { Modal } from './Modal';

type ConfirmDialogProps = {
  question: string;
  text: string;
  yes: string;
  no: string;
  /** The name of what is lost, for what cannot be undone: it has to be typed first. */
  typedName?: string;
  /** Nothing is lost by it. */
  isHarmless?: boolean;
  onYes: () => void;
  onClose: () => void;
  /** Below the text. */
  children?: ReactNode;
};

const YES = 'yes';

/** Asks for confirmation. The focus starts on the button that cancels, or in the field for the name. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { question, text, yes, no, typedName, isHarmless = false, onYes, onClose, children } = props;
  const id = useId();
  const [typed, setTyped] = useState('');
  const isReady = typedName === undefined || typed.trim() === typedName;

  function close(element: HTMLElement, value: string) {
    if (value !== YES || isReady) element.closest('dialog')?.close(value);
  }

  function confirmByEnter(event: KeyboardEvent<HTMLInputElement>) {
    if (event.key !== 'Enter') return;
    // The dialog may be inside a form.
    event.preventDefault();
    close(event.currentTarget, YES);
  }

  return (
    <Modal
      className="confirm-dialog"
      labelledBy={id}
      onClose={(value) => {
        onClose();
        if (value === YES) onYes();
      }}
    >
      <div className="confirm-dialog__body">
        <h2 className="heading-m" id={id}>
          {question}
        </h2>
        {text && <p className="muted">{text}</p>}
        {children}
        {typedName !== undefined && (
          <div className="field">
            <label className="field__label" htmlFor={`${id}-name`}>{`Type ${typedName}`}</label>
            <input
              id={`${id}-name`}
              className="field__input"
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              onInput={(event) => setTyped(event.currentTarget.value)}
              onKeyDown={confirmByEnter}
            />
          </div>
        )}
        <div className="confirm-dialog__answers row">
          <button
            type="button"
            className="button button--quiet"
            onClick={({ currentTarget }) => close(currentTarget, '')}
          >
            {no}
          </button>
          <button
            type="button"
            className={isHarmless ? 'button' : 'button button--danger'}
            aria-disabled={!isReady || undefined}
            onClick={({ currentTarget }) => close(currentTarget, YES)}
          >
            {yes}
          </button>
        </div>
      </div>
    </Modal>
  );
}
