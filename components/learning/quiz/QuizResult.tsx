import type { RefObject } from 'react';
import { useSite } from '../../api/site';
import type {
  QuestionResult,
  Quiz,
  QuizOption,
  QuizQuestion,
  QuizResult as Result,
} from '../../contracts/schema';
import { dateTime } from '../../format/dateTime';
import { formatOf } from '../../format/format';
import { Button } from '../../ui/controls/Button';
import { Icon } from '../../ui/Icon';
import { Progress } from '../../ui/loading/Progress';
import { RichText } from '../../ui/RichText';
import { useIsOver } from '../state/useSaveState';
import { attemptsText, isRight, markText, percentText } from './quizTexts';

export type QuizResultProps = {
  quiz: Quiz;
  result: Result;
  /** The lesson after the quiz; without a title, the end of the course. */
  next: { title: string; href: string } | null;
  heading: RefObject<HTMLHeadingElement | null>;
  onTryAgain: () => void;
};

/** The last attempt: a summary that links to each question, then the questions, with the right answers once they are sent. */
export function QuizResult({ quiz, result, next, heading, onTryAgain }: QuizResultProps) {
  const { score, isPassed, questions } = result;
  const format = formatOf(useSite());
  const passMark = format.percent(String(quiz.passMark));
  const shown = quiz.questions.flatMap((question, place) => {
    const found = questions.find(({ id }) => id === question.id);
    return found ? [{ question, result: found, number: place + 1 }] : [];
  });
  return (
    <section className="quiz stack" aria-labelledby={`quiz-result-${quiz.lesson}`}>
      <div className={`panel quiz-summary stack${isPassed ? ' quiz-summary--passed' : ''}`}>
        <h2 id={`quiz-result-${quiz.lesson}`} ref={heading} tabIndex={-1}>
          {isPassed
            ? `Passed with ${percentText(score, format)}`
            : `Not passed yet: ${percentText(score, format)}`}
        </h2>
        <Progress
          label="Your score"
          isLabelHidden
          value={Math.floor(score / 10)}
          text={`You pass with ${passMark}.`}
        />
        {shown.length === 0 && <p>The questions have changed since this attempt.</p>}
        {shown.some(({ result: { right } }) => right === null) && (
          <p>
            Right answers and explanations come when you have passed
            {quiz.attemptsLeft === null ? '.' : ', or used your last attempt.'}
          </p>
        )}
        <ol className="quiz-summary__list">
          {shown.map(({ question, result: found, number }) => (
            <li key={question.id} className={isRight(found) ? 'quiz-summary__right' : undefined}>
              <a href={`#result-${question.id}`}>
                <Icon name={isRight(found) ? 'check' : 'close'} />
                {`Question ${format.count(number)}: ${markText(found, format)}`}
              </a>
            </li>
          ))}
        </ol>
        {isPassed && next && (
          <a className="button quiz-summary__next" href={next.href}>
            {next.title ? `Go on: ${next.title}` : 'Finish the course'}
          </a>
        )}
        <NextAttempt quiz={quiz} isPassed={isPassed} onTryAgain={onTryAgain} />
      </div>
      {shown.map((item) => (
        <ShownQuestion key={item.question.id} {...item} />
      ))}
    </section>
  );
}

type NextAttemptProps = { quiz: Quiz; isPassed: boolean; onTryAgain: () => void };

function NextAttempt({ quiz: { attemptsLeft, nextAttemptAt }, isPassed, onTryAgain }: NextAttemptProps) {
  const site = useSite();
  const format = formatOf(site);
  const mayTry = useIsOver(nextAttemptAt === null ? 0 : Date.parse(nextAttemptAt));
  if (attemptsLeft === 0) return <p>{attemptsText(0, format)} The explanations are below.</p>;
  return (
    <div className="row">
      {!mayTry && nextAttemptAt ? (
        <p>{`The next attempt is possible from ${dateTime(nextAttemptAt, site.forms)}.`}</p>
      ) : (
        <Button variant={isPassed ? 'quiet' : 'main'} onClick={onTryAgain}>
          {isPassed ? 'Practise again' : 'Try again'}
        </Button>
      )}
      {attemptsLeft !== null && <span className="hint">{attemptsText(attemptsLeft, format)}</span>}
    </div>
  );
}

type ShownQuestionProps = { question: QuizQuestion; result: QuestionResult; number: number };

function ShownQuestion({ question, result, number }: ShownQuestionProps) {
  const format = formatOf(useSite());
  return (
    <article className="quiz-question" id={`result-${question.id}`} tabIndex={-1}>
      <h3 className="quiz-question__number">{`Question ${format.count(number)}: ${markText(result, format)}`}</h3>
      <RichText className="prose" html={question.html} />
      {question.kind === 'number' ? (
        <ShownNumber result={result} unit={question.unit} />
      ) : (
        <ul className="quiz-question__options">
          {inOrder(question.options, result.order).map((option) => (
            <ShownOption key={option.id} html={option.html} id={option.id} result={result} />
          ))}
        </ul>
      )}
      {result.explanation && (
        <RichText className="prose quiz-question__explanation" html={result.explanation} />
      )}
    </article>
  );
}

/** The options as they were asked. */
function inOrder(options: QuizOption[], order: string[]): QuizOption[] {
  return [...options].sort((one, other) => order.indexOf(one.id) - order.indexOf(other.id));
}

type Verdict = 'right' | 'wrong' | 'unknown';
const ICONS = { right: 'check', wrong: 'close' } as const;

function ShownOption({ html, id, result }: { html: string; id: string; result: QuestionResult }) {
  const isChosen = result.answer.includes(id);
  const verdict = verdictOn(id, isChosen, result);
  const words = [verdict === 'right' && 'right', isChosen && 'your answer'].filter(Boolean);
  return (
    <li className={`quiz-option${verdict === 'unknown' ? '' : ` quiz-option--${verdict}`}`}>
      {verdict !== 'unknown' && <Icon name={ICONS[verdict]} />}
      <RichText className="prose" html={html} />
      {words.length > 0 && <span className="quiz-option__words">{words.join(', ')}</span>}
    </li>
  );
}

/** Before right answers are sent, the mark says it of the chosen options, unless it counts several that differ. */
function verdictOn(id: string, isChosen: boolean, result: QuestionResult): Verdict {
  const { right, answer, mark } = result;
  if (right !== null) return right.includes(id) ? 'right' : isChosen ? 'wrong' : 'unknown';
  if (!isChosen) return 'unknown';
  if (isRight(result)) return 'right';
  return mark === 0 && answer.length === 1 ? 'wrong' : 'unknown';
}

function ShownNumber({ result: { answer, right }, unit }: { result: QuestionResult; unit: string }) {
  return (
    <p>
      {`Your answer: ${answer.length > 0 ? withUnit(answer, unit) : 'none'}.`}
      {right !== null && <strong>{` Right: ${withUnit(right, unit)}.`}</strong>}
    </p>
  );
}

const withUnit = (number: string[] | string, unit: string) => `${number} ${unit}`.trim();
