import { useEffect, useState } from 'react';
import { ApiProblem } from '../../api/client';
import { newQuestions, sendAttempt } from '../../api/learning/quizzes';
import { useRefresh } from '../../api/session/privatePage';
import { lessonDrafts, type QuizAnswers, type QuizDraft } from '../../browser/lessonDrafts/lessonDrafts';
import type { Quiz, QuizQuestion } from '../../contracts/schema';

/** Why the answers were not taken; they are kept. */
export type Refusal = { kind: 'unanswered' | 'changed' | 'signed-out' | 'offline' | 'refused'; text: string };
type Shown = 'questions' | 'result';

const ANSWER_THIS = 'Answer this question.';
const TEXTS = {
  signedOut: 'Your sign-in has ended. Your answers are kept here; send them after you have signed in again.',
  offline: 'Your answers are kept here. Send them when the site can be reached again.',
};

/** A quiz on screen: answers that survive a reload, and what became of those that were sent. */
export function useQuiz(initial: Quiz, learner: number) {
  const [quiz, setQuiz] = useState(initial);
  const { lesson } = initial;
  const [draft] = useState(() => lessonDrafts.read('quiz', learner, lesson));
  const [answers, setAnswers] = useState<QuizAnswers>(() => (draft ? fittingAnswers(initial, draft) : {}));
  const [eventId, setEventId] = useState<string | null>(draft?.eventId ?? null);
  const [shown, setShown] = useState<Shown>(draft || !initial.result ? 'questions' : 'result');
  const [errors, setErrors] = useState<Record<string, string>>({});
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const [isSending, setIsSending] = useState(false);
  const refresh = useRefresh();

  useEffect(() => lessonDrafts.removeOld(learner), [learner]);

  function change(next: QuizAnswers, id: string) {
    setAnswers(next);
    setErrors(({ [id]: _mended, ...others }) => others);
    lessonDrafts.write('quiz', learner, lesson, { revision: quiz.revision, answers: next, eventId });
  }

  async function send() {
    const open = unanswered(quiz, answers);
    if (open.length > 0) {
      setErrors(Object.fromEntries(open.map(({ id }) => [id, ANSWER_THIS])));
      return setRefusal({ kind: 'unanswered', text: openText(open.length) });
    }
    // Kept until the answer arrives: whoever sends again, even after a reload, makes no second attempt.
    const event = eventId ?? crypto.randomUUID();
    setEventId(event);
    lessonDrafts.write('quiz', learner, lesson, { revision: quiz.revision, answers, eventId: event });
    setRefusal(null);
    setIsSending(true);
    try {
      const sent = await sendAttempt(lesson, { eventId: event, revision: quiz.revision, answers });
      lessonDrafts.remove('quiz', learner, lesson);
      setQuiz(sent.quiz);
      startAnew('result');
      refresh().catch(() => undefined);
    } catch (problem) {
      if (!(problem instanceof ApiProblem)) throw problem;
      refuse(problem);
    } finally {
      setIsSending(false);
    }
  }

  function refuse(problem: ApiProblem) {
    const changed = newQuestions(problem);
    if (changed) {
      setQuiz(changed);
      setAnswers(fittingAnswers(changed, { answers }));
    }
    // Refused answers are no attempt: the next ones get an event of their own. Those without an answer may be one.
    if (problem.status >= 400 && problem.status < 500 && problem.status !== 401) setEventId(null);
    setErrors(errorsOf(problem));
    setRefusal(refusalOf(problem, changed !== null));
  }

  function startAnew(next: Shown) {
    setAnswers({});
    setEventId(null);
    setErrors({});
    setRefusal(null);
    setShown(next);
  }

  return {
    quiz,
    answers,
    errors,
    refusal,
    isSending,
    shown,
    send,
    tick: (question: QuizQuestion, option: string) =>
      change(withTick(answers, question, option), question.id),
    type: ({ id }: QuizQuestion, text: string) => change({ ...answers, [id]: text }, id),
    tryAgain: () => startAnew('questions'),
  };
}

export type QuizOnScreen = ReturnType<typeof useQuiz>;

function openText(count: number): string {
  return count === 1 ? 'One question is not answered yet.' : `${count} questions are not answered yet.`;
}

/** The errors of fields, answers.{id}, by the ids of their questions. */
function errorsOf({ errors }: ApiProblem): Record<string, string> {
  return Object.fromEntries(Object.entries(errors).map(([path, text]) => [path.split('.')[1] ?? path, text]));
}

function refusalOf({ status, detail }: ApiProblem, hasChanged: boolean): Refusal {
  if (status === 401) return { kind: 'signed-out', text: TEXTS.signedOut };
  if (status === 0 || status >= 500) return { kind: 'offline', text: TEXTS.offline };
  return { kind: hasChanged ? 'changed' : 'refused', text: detail };
}

/** The answers of a draft that fit these questions: after a change of the quiz some may not. */
function fittingAnswers({ questions }: Quiz, { answers }: Pick<QuizDraft, 'answers'>): QuizAnswers {
  const fitting: QuizAnswers = {};
  for (const question of questions) {
    const answer = fittingAnswer(question, answers[question.id]);
    if (answer?.length) fitting[question.id] = answer;
  }
  return fitting;
}

function fittingAnswer({ kind, options }: QuizQuestion, answer: string[] | string | undefined) {
  if (kind === 'number') return typeof answer === 'string' ? answer : undefined;
  if (!Array.isArray(answer)) return undefined;
  const ids = answer.filter((id) => options.some((option) => option.id === id));
  return kind === 'one' ? ids.slice(0, 1) : ids;
}

/** The questions without an answer. */
function unanswered({ questions }: Quiz, answers: QuizAnswers): QuizQuestion[] {
  return questions.filter(({ id }) => {
    const answer = answers[id] ?? '';
    return (typeof answer === 'string' ? answer.trim() : answer).length === 0;
  });
}

/** The answers with another one; ticking an option of several again takes it back. */
function withTick(answers: QuizAnswers, { id, kind }: QuizQuestion, option: string): QuizAnswers {
  const ticks = Array.isArray(answers[id]) ? answers[id] : [];
  if (kind === 'one') return { ...answers, [id]: [option] };
  return {
    ...answers,
    [id]: ticks.includes(option) ? ticks.filter((tick) => tick !== option) : [...ticks, option],
  };
}
