import { useEffect, useRef } from 'react';
import type { Quiz } from '../../contracts/schema';
import { QuizForm } from './QuizForm';
import { QuizResult, type QuizResultProps } from './QuizResult';
import { useQuiz } from './useQuiz';

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
