import { type ComponentType, useEffect, useState } from 'react';
import type { Quiz } from '../../contracts/schema';
import { loadOrReload } from '../../ui/loading/lazyModule';
import { Notice } from '../../ui/Notice';
import { RichText } from '../../ui/RichText';
import type { QuizLessonProps } from '../quiz/QuizLesson';

type LazyQuizProps = {
  html: string;
  quiz: Quiz | null;
  learner: number;
  next: QuizLessonProps['next'];
  onNearEnd: () => void;
};

/** A quiz below its text; its code loads with the first one. */
export function LazyQuiz({ html, quiz, learner, next, onNearEnd }: LazyQuizProps) {
  const [Lesson, setLesson] = useState<ComponentType<QuizLessonProps> | null>(null);
  const [hasFailed, setHasFailed] = useState(false);
  useEffect(onNearEnd, [onNearEnd]);
  useEffect(() => {
    loadOrReload(import('../quiz/QuizLesson')).then(
      ({ QuizLesson }) => setLesson(() => QuizLesson),
      () => setHasFailed(true),
    );
  }, []);
  return (
    <div className="stack lesson-text">
      <RichText className="prose" html={html} />
      {hasFailed && (
        <Notice kind="warning" title="The quiz could not be loaded">
          <p>Check your connection, then reload the page.</p>
        </Notice>
      )}
      {Lesson && quiz && <Lesson key={quiz.lesson} quiz={quiz} learner={learner} next={next} />}
    </div>
  );
}
