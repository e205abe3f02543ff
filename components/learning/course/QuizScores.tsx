import { useSite } from '../../api/site';
import type { QuizScore } from '../../contracts/schema';
import { formatOf } from '../../format/format';
import { Badge } from '../../ui/Badge';

/** The best attempts at the quizzes of a course. */
export function QuizScores({ scores }: { scores: QuizScore[] }) {
  const format = formatOf(useSite());
  return (
    <ul className="quiz-scores">
      {scores.map(({ lesson, title, percent, isPassed, attempts }) => (
        <li className="quiz-scores__row" key={lesson}>
          <span>{title}</span>
          <Badge
            tone={isPassed ? 'good' : 'neutral'}
            text={`${format.percent(String(percent))}, ${isPassed ? 'passed' : 'not passed'}`}
          />
          <span className="hint">
            {attempts === 1 ? '1 attempt' : `Best of ${format.count(attempts)} attempts`}
          </span>
        </li>
      ))}
    </ul>
  );
}
