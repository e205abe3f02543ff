import { useSite } from '../../api/site';
import type { QuizQuestion } from '../../contracts/schema';
import { numberText } from '../../format/localeText';
import { FieldError, fieldProps } from '../../forms/FieldShell';
import { RichText } from '../../ui/RichText';

type QuestionFieldProps = {
  question: QuizQuestion;
  number: number;
  answer: string[] | string | undefined;
  error: string | undefined;
  onTick: (option: string) => void;
  onType: (text: string) => void;
};

const HINTS = { one: 'Choose one answer.', several: 'Tick all that are right.', number: '' };

/** A question with its options, or with a field for a number. */
export function QuestionField(props: QuestionFieldProps) {
  const { question, number, error } = props;
  const id = `quiz-${question.id}`;
  const hint = HINTS[question.kind];
  return (
    <fieldset
      className={error ? 'quiz-question quiz-question--wrong' : 'quiz-question'}
      aria-describedby={error && `${id}-error`}
    >
      <legend className="quiz-question__text">
        <span className="quiz-question__number">{`Question ${number}`}</span>
        <RichText className="prose" html={question.html} />
      </legend>
      {hint && <p className="hint">{hint}</p>}
      {question.kind === 'number' ? <NumberField {...props} id={id} /> : <Options {...props} id={id} />}
      <FieldError id={id} error={error} />
    </fieldset>
  );
}

function Options({ question, answer, onTick, id }: QuestionFieldProps & { id: string }) {
  return (
    <div className="quiz-question__options">
      {question.options.map((option, place) => (
        <label key={option.id} className="quiz-option">
          <input
            id={place === 0 ? id : undefined}
            type={question.kind === 'one' ? 'radio' : 'checkbox'}
            name={id}
            value={option.id}
            checked={Array.isArray(answer) && answer.includes(option.id)}
            onChange={() => onTick(option.id)}
          />
          <RichText className="prose" html={option.html} />
        </label>
      ))}
    </div>
  );
}

function NumberField({ question, number, answer, error, onType, id }: QuestionFieldProps & { id: string }) {
  const { unit } = question;
  const { forms } = useSite();
  return (
    <div className="quiz-number">
      <input
        {...fieldProps(id, error, `${id}-hint`)}
        className="field__input"
        inputMode={forms.decimal === '.' ? 'decimal' : 'text'}
        autoComplete="off"
        maxLength={100}
        aria-label={`Answer to question ${number}${unit && `, in ${unit}`}`}
        value={typeof answer === 'string' ? answer : ''}
        onChange={({ target }) => onType(target.value)}
      />
      {unit && <span aria-hidden="true">{unit}</span>}
      <span
        className="hint"
        id={`${id}-hint`}
      >{`A number, such as ${numberText('12.5', forms.zero, forms)}`}</span>
    </div>
  );
}
