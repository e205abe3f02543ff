import type { Quiz } from '../../contracts/schema';
import { quizResult, SQL_QUIZ } from '../../fixtures/learning/quizzes';
import { LaterPart } from '../../learning/LaterPart';
import { loadOrReload } from '../../ui/loading/lazyModule';
import { State } from '../guide/Guide';

// As lessons load it: an import of its parts here would split its chunk.
const loadQuiz = () =>
  loadOrReload(import('../../learning/quiz/QuizLesson')).then(({ QuizLesson }) => QuizLesson);

const STATES: [label: string, quiz: Partial<Quiz>][] = [
  ['Quiz: questions of each kind. “Send answers” marks those without an answer', {}],
  [
    'Quiz: not passed, and another attempt: only marks are shown',
    { lesson: 4, result: quizResult(false), attemptsLeft: 1 },
  ],
  ['Quiz: not passed, and no attempt left', { lesson: 5, result: quizResult(false, true), attemptsLeft: 0 }],
  [
    'Quiz: not passed, and a pause before the next attempt',
    { lesson: 6, result: { ...quizResult(false), questions: [] }, nextAttemptAt: '2100-01-01T12:00:00Z' },
  ],
  [
    'Quiz: passed, with explanations',
    { lesson: 7, result: quizResult(true), isPassed: true, attemptsLeft: null },
  ],
];

/** A quiz before and after an attempt. */
export function QuizStates() {
  return STATES.map(([label, quiz], place) => (
    <State key={label} label={label} ground="bare">
      <div className="lesson-text">
        <LaterPart
          load={loadQuiz}
          props={{ quiz: withOwnIds({ ...SQL_QUIZ, ...quiz }, place), learner: 0 }}
        />
      </div>
    </State>
  ));
}

/** Several quizzes on one page: no two questions may have one id. */
function withOwnIds(quiz: Quiz, place: number): Quiz {
  const ownId = <T extends { id: string }>(entry: T): T => ({ ...entry, id: `${entry.id}-${place}` });
  const { questions, result } = quiz;
  return {
    ...quiz,
    questions: questions.map(ownId),
    result: result && { ...result, questions: result.questions.map(ownId) },
  };
}
