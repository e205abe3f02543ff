import { Button } from '../../ui/controls/Button';
import { type QuizQuestion, withRight } from './quizEdits';

type OptionEditorProps = {
  question: QuizQuestion;
  option: QuizQuestion['options'][number];
  place: number;
  name: string;
  onChange: (question: QuizQuestion, tag?: string) => void;
};

/** An answer to choose, and whether it is right. */
export function OptionEditor({ question, option, place, name, onChange }: OptionEditorProps) {
  const { kind, options } = question;
  const label = `Answer ${place + 1} of ${name}`;
  return (
    <div className="quiz-editor__option">
      <label className="check">
        <input
          type={kind === 'one' ? 'radio' : 'checkbox'}
          name={`right-${question.id}`}
          className="check__box"
          aria-label={`${label} is right`}
          checked={option.isRight}
          onChange={({ target }) => onChange(withRight(question, option.id, target.checked))}
        />
        <span aria-hidden="true">Right</span>
      </label>
      <input
        className="field__input"
        aria-label={label}
        maxLength={2000}
        autoComplete="off"
        value={option.text}
        onChange={({ target }) =>
          onChange(
            {
              ...question,
              options: options.map((other) => (other === option ? { ...option, text: target.value } : other)),
            },
            `option-${option.id}`,
          )
        }
      />
      <Button
        variant="text-quiet"
        label={`Remove ${label.toLowerCase()}`}
        isDisabled={options.length <= 2}
        onClick={() => onChange({ ...question, options: options.filter((other) => other !== option) })}
      >
        Remove
      </Button>
    </div>
  );
}
