import type { QuizQuestionFields } from '../../contracts/schema';
import { newUuid } from '../../model/uuid';

export type QuizQuestion = QuizQuestionFields;

const shortId = (letter: string) => `${letter}${newUuid().slice(0, 8)}`;

export function newOption(): QuizQuestion['options'][number] {
  return { id: shortId('o'), text: '', isRight: false };
}

export function newQuestion(): QuizQuestion {
  return {
    id: shortId('q'),
    kind: 'one',
    text: '',
    explanation: '',
    options: [{ ...newOption(), isRight: true }, newOption()],
    value: '',
    tolerance: '',
    unit: '',
  };
}

/** With the option right or not; of one that may be chosen, it is the only right one. */
export function withRight(question: QuizQuestion, id: string, isRight: boolean): QuizQuestion {
  const options = question.options.map((option) => {
    if (option.id === id) return { ...option, isRight: question.kind === 'one' ? true : isRight };
    return question.kind === 'one' ? { ...option, isRight: false } : option;
  });
  return { ...question, options };
}

/** The question as one of another kind: with one right option the first one is kept, a number needs none. */
export function withKind(question: QuizQuestion, kind: QuizQuestion['kind']): QuizQuestion {
  const options = question.options.length > 1 ? question.options : newQuestion().options;
  const first = options.findIndex(({ isRight }) => isRight);
  const only = options.map((option, place) => ({ ...option, isRight: place === Math.max(first, 0) }));
  return { ...question, kind, options: kind === 'one' ? only : options };
}

export function movedItem<T>(items: T[], from: number, step: -1 | 1): T[] {
  const moved = [...items];
  const [item] = moved.splice(from, 1);
  if (item !== undefined) moved.splice(from + step, 0, item);
  return moved;
}
