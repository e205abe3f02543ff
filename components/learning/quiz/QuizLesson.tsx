import { type FormEvent, useEffect, useRef } from 'react';
import { useSession } from '../../api/auth';
import { providerPage } from '../../api/identity';
import { useSite } from '../../api/site';
import { currentAddress } from '../../browser/address';
import type { Quiz, QuizQuestion } from '../../contracts/schema';
import { formatOf } from '../../format/format';
import { numberText } from '../../format/localeText';
import { FieldError, fieldProps } from '../../forms/FieldShell';
import { isolated } from '../../model/isolated';
import { Button } from '../../ui/controls/Button';
import { Notice } from '../../ui/Notice';
import { RichText } from '../../ui/RichText';
import { QuizResult, type QuizResultProps } from './QuizResult';
import { termsText } from './quizTexts';
import { type QuizOnScreen, type Refusal, useQuiz } from './useQuiz';

export type QuizLessonProps = { quiz: Quiz; learner: number; next?: QuizResultProps['next'] };

/** A quiz: its questions, and after an attempt its result, which takes the focus. */
export function QuizLesson({ quiz: initial, learner, next = null }: QuizLessonProps) {
  const state = useQuiz(initial, learner);
  const { quiz, shown } = state;
  const part = useRef<HTMLDivElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const before = useRef(shown);
  useEffect(() => {
    if (before.current === shown) return;
    before.current = shown;
    (shown === 'result' ? heading.current : part.current?.querySelector('input'))?.focus();
  }, [shown]);
  return (
    <div ref={part}>
      {shown === 'result' && quiz.result ? (
        <QuizResult
          quiz={quiz}
          result={quiz.result}
          next={next}
          heading={heading}
          onTryAgain={state.tryAgain}
        />
      ) : (
        <QuizForm state={state} />
      )}
    </div>
  );
}

const TITLES: Record<Refusal['kind'], string> = {
  unanswered: 'Something is missing',
  changed: 'The questions have changed',
  'signed-out': 'Sign in to send your answers',
  offline: 'Your answers could not be sent',
  refused: 'Your answers were not taken',
};

/** The questions as one form. */
function QuizForm({ state }: { state: QuizOnScreen }) {
  const { quiz, answers, errors, refusal, isSending } = state;
  const form = useRef<HTMLFormElement>(null);
  useFocusOnRefusal(form, refusal);

  function submit(event: FormEvent) {
    event.preventDefault();
    void state.send();
  }

  return (
    <form ref={form} className="quiz stack" noValidate aria-label="Quiz" onSubmit={submit}>
      <p className="hint">{termsText(quiz, formatOf(useSite()))}</p>
      {refusal && <RefusalNotice refusal={refusal} />}
      {quiz.questions.map((question, place) => (
        <QuestionField
          key={question.id}
          question={question}
          number={place + 1}
          answer={answers[question.id]}
          error={errors[question.id]}
          onTick={(option) => state.tick(question, option)}
          onType={(text) => state.type(question, text)}
        />
      ))}
      <div className="row">
        <Button isBusy={isSending} busyText="Sending …" isDisabled={quiz.attemptsLeft === 0}>
          Send answers
        </Button>
        <span className="hint">Your answers are kept here until you send them.</span>
      </div>
    </form>
  );
}

function RefusalNotice({ refusal }: { refusal: Refusal }) {
  const area = useSession()?.learner.area ?? 'learner';
  return (
    <div className="quiz__refusal" role="alert" tabIndex={-1}>
      <Notice kind="warning" title={TITLES[refusal.kind]}>
        <p>{refusal.text}</p>
        {refusal.kind === 'signed-out' && (
          <a href={providerPage({ returnTo: currentAddress(), area })}>Sign in</a>
        )}
      </Notice>
    </div>
  );
}

/** To the first question that needs another answer, else to what happened. */
function useFocusOnRefusal(form: { current: HTMLFormElement | null }, refusal: Refusal | null): void {
  useEffect(() => {
    if (!refusal) return;
    const wrong = form.current?.querySelector<HTMLElement>('.quiz-question--wrong input');
    (wrong ?? form.current?.querySelector<HTMLElement>('.quiz__refusal'))?.focus();
  }, [form, refusal]);
}

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
function QuestionField(props: QuestionFieldProps) {
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
      >{`A number, such as ${isolated(numberText('12.5', forms.zero, forms))}`}</span>
    </div>
  );
}
