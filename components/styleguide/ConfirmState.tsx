import { useState } from 'react';
import { ConfirmDialog } from '../ui/ConfirmDialog';
import { State } from './guide/Guide';

const noop = () => undefined;

export function ConfirmState() {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <State label="A question before what takes work to undo">
      <button type="button" className="button button--quiet" onClick={() => setIsOpen(true)}>
        Ask
      </button>
      {isOpen && (
        <ConfirmDialog
          question="Are you sure?"
          text="What you saved for later stays as it is."
          yes="Clear cart"
          no="Keep my items"
          onYes={noop}
          onClose={() => setIsOpen(false)}
        />
      )}
    </State>
  );
}
