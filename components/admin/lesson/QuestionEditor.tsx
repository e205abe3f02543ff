import { EditedField, EditedSelect } from '../../forms/edited/EditedField';
import { FieldError } from '../../forms/FieldShell';
import { Button } from '../../ui/controls/Button';
import { MoveButtons } from '../lessons/MoveButtons';
import { newOption, type QuizQuestion, withKind, withRight } from './quizEdits';

type QuestionEditorProps = {
  question: QuizQuestion;
  place: number;
  count: number;
  error: string | undefined;
  onChange: (question: QuizQuestion, tag?: string) => void;
  onMove: (step: -1 | 1) => void;
  onRemove: () => void;
};

const KINDS = [
  { value: 'one', label: 'One right answer' },
  { value: 'several', label: 'Several right answers' },
  { value: 'number', label: 'A number' },
];

/** A question with its answers. */
export function QuestionEditor(props: QuestionEditorProps) {
  const { question, place, count, error, onChange, onMove, onRemove } = props;
  const { id, kind, text, explanation } = question;
  const name = `question ${place + 1}`;
  return (
    <li className="quiz-editor__question">
      <fieldset>
        <legend className="heading-s">{`Question ${place + 1}`}</legend>
        <FieldError id={`question-${id}`} error={error} />
        <div className="row quiz-editor__head">
          <MoveButtons name={name} focus={id} canUp={place > 0} canDown={place < count - 1} onStep={onMove} />
          <Button variant="text-quiet" label={`Remove ${name}`} onClick={onRemove}>
            Remove
          </Button>
        </div>
        <EditedField
          label="Question"
          rows={2}
          value={text}
          onText={(changed) => onChange({ ...question, text: changed }, `text-${id}`)}
        />
        <EditedSelect
          label="Kind of answer"
          value={kind}
          options={KINDS}
          onChoose={(changed) => onChange(withKind(question, changed as QuizQuestion['kind']))}
        />
        {kind === 'number' ? (
          <NumberAnswer question={question} onChange={onChange} />
        ) : (
          <Options question={question} name={name} onChange={onChange} />
        )}
        <EditedField
          label="Explanation"
          hint="Shown once the quiz is passed, or no attempt is left."
          rows={2}
          value={explanation}
          onText={(changed) => onChange({ ...question, explanation: changed }, `explanation-${id}`)}
        />
      </fieldset>
    </li>
  );
}

type AnswerProps = Pick<QuestionEditorProps, 'question' | 'onChange'>;

function Options({ question, name, onChange }: AnswerProps & { name: string }) {
  const { id, options } = question;
  return (
    <div className="quiz-editor__options">
      {options.map((option, place) => (
        <OptionEditor
          key={option.id}
          question={question}
          option={option}
          place={place}
          name={name}
          onChange={onChange}
        />
      ))}
      <div>
        <Button
          variant="text"
          label={`Add an answer to ${name}`}
          onClick={() => onChange({ ...question, options: [...options, newOption()] }, `options-${id}`)}
        >
          Add an answer
        </Button>
      </div>
    </div>
  );
}

function NumberAnswer({ question, onChange }: AnswerProps) {
  const { id, value, tolerance, unit } = question;
  const set = (change: Partial<QuizQuestion>, tag: string) =>
    onChange({ ...question, ...change }, `${tag}-${id}`);
  return (
    <div className="lesson-editor__facts">
      <EditedField
        label="Right number"
        hint="With a decimal point, such as 12.5."
        inputMode="decimal"
        value={value}
        onText={(text) => set({ value: text.trim() }, 'value')}
      />
      <EditedField
        label="May be off by"
        inputMode="decimal"
        value={tolerance}
        onText={(text) => set({ tolerance: text.trim() }, 'tolerance')}
      />
      <EditedField label="Unit" value={unit} maxLength={40} onText={(text) => set({ unit: text }, 'unit')} />
    </div>
  );
}

type OptionEditorProps = {
  question: QuizQuestion;
  option: QuizQuestion['options'][number];
  place: number;
  name: string;
  onChange: (question: QuizQuestion, tag?: string) => void;
};

/** An answer to choose, and whether it is right. */
function OptionEditor({ question, option, place, name, onChange }: OptionEditorProps) {
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
