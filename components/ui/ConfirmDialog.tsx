import { Modal } from './Modal';

type ConfirmDialogProps = {
  question: string;
  text: string;
  yes: string;
  no: string;
  onYes: () => void;
  onClose: () => void;
};

const YES = 'yes';

/** Asks for confirmation. The focus starts on the button that cancels. */
export function ConfirmDialog({ question, text, yes, no, onYes, onClose }: ConfirmDialogProps) {
  return (
    <Modal
      className="confirm-dialog"
      labelledBy="question-title"
      onClose={(value) => {
        onClose();
        if (value === YES) onYes();
      }}
    >
      <form method="dialog" className="confirm-dialog__body">
        <h2 className="heading-m" id="question-title">
          {question}
        </h2>
        <p className="muted">{text}</p>
        <div className="confirm-dialog__answers row">
          <button type="submit" className="button button--quiet">
            {no}
          </button>
          <button type="submit" className="button button--danger" value={YES}>
            {yes}
          </button>
        </div>
      </form>
    </Modal>
  );
}
