import { useState } from 'react';
import { countOf, EditedField } from '../../forms/edited/EditedField';
import { useNextFocus } from '../../forms/edited/useNextFocus';
import { FieldError } from '../../forms/FieldShell';
import { Button } from '../../ui/controls/Button';
import type { PartProps } from './partProps';
import { QuestionEditor } from './QuestionEditor';
import { movedItem, newQuestion, type QuizQuestion } from './quizEdits';
import { TryQuiz } from './TryQuiz';

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
