import { type FormEvent, useEffect, useRef } from 'react';
import { useSession } from '../../api/auth';
import { providerPage } from '../../api/identity';
import { useSite } from '../../api/site';
import { currentAddress } from '../../browser/address';
import { formatOf } from '../../format/format';
import { Button } from '../../ui/controls/Button';
import { Notice } from '../../ui/Notice';
import { QuestionField } from './QuestionField';
import { termsText } from './quizTexts';
import type { QuizOnScreen, Refusal } from './useQuiz';

const TITLES: Record<Refusal['kind'], string> = {
  unanswered: 'Something is missing',
  changed: 'The questions have changed',
  'signed-out': 'Sign in to send your answers',
  offline: 'Your answers could not be sent',
  refused: 'Your answers were not taken',
};

/** The questions as one form. */
export function QuizForm({ state }: { state: QuizOnScreen }) {
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
