import type { QuizScore } from '../../contracts/schema';
import { Badge } from '../../ui/Badge';

/** The best attempts at the quizzes of a course. */
export function QuizScores({ scores }: { scores: QuizScore[] }) {
  return (
    <ul className="quiz-scores">
      {scores.map(({ lesson, title, percent, isPassed, attempts }) => (
        <li className="quiz-scores__row" key={lesson}>
          <span>{title}</span>
          <Badge
            tone={isPassed ? 'good' : 'neutral'}
            text={`${percent}%, ${isPassed ? 'passed' : 'not passed'}`}
          />
          <span className="hint">{attempts === 1 ? '1 attempt' : `Best of ${attempts} attempts`}</span>
        </li>
      ))}
    </ul>
  );
}
