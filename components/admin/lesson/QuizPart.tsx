import { type FormEvent, useState } from 'react';
import { tryQuiz } from '../../api/admin/lessons';
import { useSite } from '../../api/site';
import type { TriedQuiz } from '../../contracts/schema';
import { formatOf } from '../../format/format';
import { CallError } from '../../forms/call/SignInAgain';
import { useCall } from '../../forms/call/useCall';
import { countOf, EditedField } from '../../forms/edited/EditedField';
import { useNextFocus } from '../../forms/edited/useNextFocus';
import { FieldError } from '../../forms/FieldShell';
import { Button } from '../../ui/controls/Button';
import type { PartProps } from './partProps';
import { QuestionEditor } from './QuestionEditor';
import { movedItem, newQuestion, type QuizQuestion } from './quizEdits';

/** The questions of a quiz, and its terms. */
export function QuizPart({ fields, errors, set }: PartProps) {
  const { ref, focusOn } = useNextFocus<HTMLOListElement>();
  const [isTrying, setTrying] = useState(false);
  const { questions, attempts, waitMinutes } = fields;
  const setQuestions = (changed: QuizQuestion[], tag?: string) => set({ questions: changed }, tag);
  return (
    <section className="area-box lesson-part" aria-labelledby="lesson-quiz">
      <h2 className="heading-m" id="lesson-quiz">
        Questions
      </h2>
      <FieldError id="lesson-quiz" error={errors.questions} />
      <ol className="quiz-editor" ref={ref}>
        {questions.map((question, place) => (
          <QuestionEditor
            key={question.id}
            question={question}
            place={place}
            count={questions.length}
            error={errors[`questions.${place + 1}`]}
            onChange={(changed, tag) =>
              setQuestions(
                questions.map((other) => (other === question ? changed : other)),
                tag,
              )
            }
            onMove={(step) => {
              setQuestions(movedItem(questions, place, step));
              focusOn(`${step === -1 ? 'up' : 'down'}-${question.id}`);
            }}
            onRemove={() => setQuestions(questions.filter((other) => other !== question))}
          />
        ))}
      </ol>
      <div className="row lesson-part__buttons">
        <Button variant="quiet" onClick={() => setQuestions([...questions, newQuestion()])}>
          Add a question
        </Button>
        {questions.length > 0 && (
          <Button variant="quiet" onClick={() => setTrying(true)}>
            Try it
          </Button>
        )}
      </div>
      {isTrying && <TryQuiz questions={questions} onClose={() => setTrying(false)} />}
      <div className="lesson-editor__facts">
        <EditedField
          label="Attempts"
          hint="Empty: as many as one likes."
          inputMode="numeric"
          value={attempts === null ? '' : `${attempts}`}
          onText={(text) => set({ attempts: text.trim() ? countOf(text) : null }, 'attempts')}
          error={errors.attempts}
        />
        <EditedField
          label="Minutes to wait before the next attempt"
          inputMode="numeric"
          value={`${waitMinutes}`}
          onText={(text) => set({ waitMinutes: countOf(text) }, 'wait')}
          error={errors.waitMinutes}
        />
      </div>
    </section>
  );
}

type Answers = Record<string, string[] | string>;

/** The quiz as its learners answer it; the host marks it and stores nothing. */
function TryQuiz({ questions, onClose }: { questions: QuizQuestion[]; onClose: () => void }) {
  const call = useCall();
  const format = formatOf(useSite());
  const [result, setResult] = useState<TriedQuiz | null>(null);

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    event.stopPropagation();
    const answers = answersIn(questions, new FormData(event.currentTarget));
    void call.run(async () => setResult(await tryQuiz({ questions, answers })));
  }

  const errors = Object.entries(call.errors).map(([name, text]) => `${placeOf(name, questions)}${text}`);
  return (
    <form className="try-quiz" noValidate aria-label="The quiz as learners answer it" onSubmit={submit}>
      <CallError call={{ ...call, text: [call.text, ...errors].filter(Boolean).join(' ') }} />
      {questions.map((question, place) => (
        <TriedQuestion
          key={question.id}
          question={question}
          number={place + 1}
          result={result?.questions.find(({ id }) => id === question.id)}
        />
      ))}
      <p role="status">
        {result && `${format.percent(String(result.percent))} right. Nothing of this is stored.`}
      </p>
      <div className="row lesson-part__buttons">
        <Button isBusy={call.isBusy} busyText="Marking…">
          Mark my answers
        </Button>
        <Button variant="quiet" onClick={onClose}>
          Close
        </Button>
      </div>
    </form>
  );
}

function placeOf(name: string, questions: QuizQuestion[]): string {
  const key = name.split('.')[1] ?? '';
  const place = /^\d+$/.test(key) ? Number(key) : questions.findIndex(({ id }) => id === key) + 1;
  return place > 0 ? `Question ${place}: ` : '';
}

function answersIn(questions: QuizQuestion[], data: FormData): Answers {
  return Object.fromEntries(
    questions.map(({ id, kind }) => [
      id,
      kind === 'number' ? String(data.get(id) ?? '') : data.getAll(id).map(String),
    ]),
  );
}

type TriedQuestionProps = {
  question: QuizQuestion;
  number: number;
  result: TriedQuiz['questions'][number] | undefined;
};

function TriedQuestion({ question: { id, kind, text, options, unit }, number, result }: TriedQuestionProps) {
  const right = result?.right;
  const format = formatOf(useSite());
  return (
    <fieldset className="try-quiz__question">
      <legend>{`${format.count(number)}. ${text || 'No text yet'}`}</legend>
      {kind === 'number' ? (
        <label className="row">
          <input className="field__input" name={id} inputMode="decimal" autoComplete="off" />
          <span>{unit || 'A number'}</span>
        </label>
      ) : (
        options.map((option) => (
          <label key={option.id} className="check">
            <input
              type={kind === 'one' ? 'radio' : 'checkbox'}
              className="check__box"
              name={id}
              value={option.id}
            />
            <span>
              {option.text || 'No text yet'}
              {Array.isArray(right) && right.includes(option.id) && <strong> (right)</strong>}
            </span>
          </label>
        ))
      )}
      {result && (
        <p className="hint">
          {format.percent(String(Math.floor(result.mark / 10)))}
          {typeof right === 'string' && `: ${right} is right`}
        </p>
      )}
    </fieldset>
  );
}
