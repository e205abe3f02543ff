import { useState } from 'react';
import { Question } from '../../ui/Question';
import { State } from './Guide';

const NOTHING = () => undefined;

export function QuestionState() {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <State label="A question before what takes work to undo">
      <button type="button" className="button button--quiet" onClick={() => setIsOpen(true)}>
        Ask
      </button>
      {isOpen && (
        <Question
          question="Are you sure?"
          text="What you saved for later stays as it is."
          yes="Clear cart"
          no="Keep my items"
          onYes={NOTHING}
          onClose={() => setIsOpen(false)}
        />
      )}
    </State>
  );
}
