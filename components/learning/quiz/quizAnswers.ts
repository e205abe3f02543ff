import type { QuizAnswers, QuizDraft } from '../../browser/lessonDrafts/lessonDrafts';
import type { Quiz, QuizQuestion } from '../../contracts/schema';

/** The answers of a draft that fit these questions: after a change of the quiz some may not. */
export function fittingAnswers({ questions }: Quiz, { answers }: Pick<QuizDraft, 'answers'>): QuizAnswers {
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
export function unanswered({ questions }: Quiz, answers: QuizAnswers): QuizQuestion[] {
  return questions.filter(({ id }) => {
    const answer = answers[id] ?? '';
    return (typeof answer === 'string' ? answer.trim() : answer).length === 0;
  });
}

/** The answers with another one; ticking an option of several again takes it back. */
export function withTick(answers: QuizAnswers, { id, kind }: QuizQuestion, option: string): QuizAnswers {
  const ticks = Array.isArray(answers[id]) ? answers[id] : [];
  if (kind === 'one') return { ...answers, [id]: [option] };
  return {
    ...answers,
    [id]: ticks.includes(option) ? ticks.filter((tick) => tick !== option) : [...ticks, option],
  };
}
