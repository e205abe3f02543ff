import type { QuestionResult, Quiz } from '../../contracts/schema';

const FULL = 1000;

/** Per mille as percent, rounded down: 69.9 % is not the 70 % that are needed. */
export function percentText(score: number): string {
  return `${Math.floor(score / 10)}%`;
}

export const isRight = ({ mark }: QuestionResult) => mark >= FULL;

export function markText(result: QuestionResult): string {
  const { mark } = result;
  if (isRight(result)) return 'Right';
  return mark > 0 ? `Partly right, ${percentText(mark)}` : 'Wrong';
}

/** What learners know before they begin. */
export function termsText({ questions, passMark, attemptsLeft, waitMinutes }: Quiz): string {
  const count = questions.length === 1 ? 'One question' : `${questions.length} questions`;
  const parts = [`${count}; you pass with ${passMark}%.`];
  if (attemptsLeft !== null) parts.push(attemptsText(attemptsLeft));
  if (waitMinutes > 0) parts.push(`Between attempts you wait ${waitMinutes} minutes.`);
  return parts.join(' ');
}

export function attemptsText(left: number): string {
  if (left === 0) return 'No attempt is left.';
  return left === 1 ? 'One attempt is left.' : `${left} attempts are left.`;
}
