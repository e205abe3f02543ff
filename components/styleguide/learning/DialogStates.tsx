import { type ReactNode, useState } from 'react';
import { DeleteAccount } from '../../account/sections/DeleteAccount';
import { ReportReview } from '../../catalogue/course/ReportReview';
import { Button } from '../../ui/controls/Button';
import { State } from '../guide/Guide';

/** Dialogs about a review and an account; they send only what somebody fills in. */
export function DialogStates() {
  return (
    <State label="Dialogs: a review is reported, an account with certificates is deleted">
      <div className="row">
        <OpensDialog label="Report a review">
          {(onClose) => <ReportReview review={{ id: 0, author: 'Ada L.' }} onClose={onClose} />}
        </OpensDialog>
        <OpensDialog label="Delete an account">
          {(onClose) => <DeleteAccount email="ada@example.test" onClose={onClose} />}
        </OpensDialog>
      </div>
    </State>
  );
}

type OpensDialogProps = { label: string; children: (onClose: () => void) => ReactNode };

function OpensDialog({ label, children }: OpensDialogProps) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button variant="quiet" onClick={() => setIsOpen(true)}>
        {label}
      </Button>
      {isOpen && children(() => setIsOpen(false))}
    </>
  );
}
