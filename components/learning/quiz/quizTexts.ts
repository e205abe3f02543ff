import type { QuestionResult, Quiz } from '../../contracts/schema';
import type { Format } from '../../format/format';

const FULL = 1000;

/** Per mille as percent, rounded down: 69.9 % is not the 70 % that are needed. */
export function percentText(score: number, format: Format): string {
  return format.percent(String(Math.floor(score / 10)));
}

export const isRight = ({ mark }: QuestionResult) => mark >= FULL;

export function markText(result: QuestionResult, format: Format): string {
  const { mark } = result;
  if (isRight(result)) return 'Right';
  return mark > 0 ? `Partly right, ${percentText(mark, format)}` : 'Wrong';
}

/** What learners know before they begin. */
export function termsText({ questions, passMark, attemptsLeft, waitMinutes }: Quiz, format: Format): string {
  const count = questions.length === 1 ? 'One question' : `${format.count(questions.length)} questions`;
  const parts = [`${count}; you pass with ${format.percent(String(passMark))}.`];
  if (attemptsLeft !== null) parts.push(attemptsText(attemptsLeft, format));
  if (waitMinutes > 0) parts.push(`There is a wait of ${format.duration(waitMinutes)} between attempts.`);
  return parts.join(' ');
}

export function attemptsText(left: number, format: Format): string {
  if (left === 0) return 'No attempt is left.';
  return left === 1 ? 'One attempt is left.' : `${format.count(left)} attempts are left.`;
}
