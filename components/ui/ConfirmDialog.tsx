import { Modal } from './Modal';

type QuestionProps = {
  question: string;
  text: string;
  yes: string;
  no: string;
  onYes: () => void;
  onClose: () => void;
};

const YES = 'yes';

/** Asks before something is done that takes work to undo. The focus starts on the way out. */
export function Question({ question, text, yes, no, onYes, onClose }: QuestionProps) {
  return (
    <Modal
      className="question"
      labelledBy="question-title"
      onClose={(answer) => {
        onClose();
        if (answer === YES) onYes();
      }}
    >
      <form method="dialog" className="question__body">
        <h2 className="question__title" id="question-title">
          {question}
        </h2>
        <p className="question__text">{text}</p>
        <div className="question__answers">
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
