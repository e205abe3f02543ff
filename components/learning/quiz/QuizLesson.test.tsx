import { act, cleanup, fireEvent, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { lessonDrafts } from '../../browser/lessonDrafts/lessonDrafts';
import { saveSession } from '../../browser/session/session';
import type { Quiz, QuizResult } from '../../contracts/schema';
import { type HeldCall, holdServer, resetBrowser, signIn } from '../../fixtures/cartServer';
import { SITE } from '../../fixtures/catalogue';
import { QUIZ } from '../../fixtures/learning/learning';
import { renderLearning } from '../../fixtures/learning/renderLearning';
import { SESSION } from '../../fixtures/session';
import { shopFormat } from '../../fixtures/shopFormat';
import { QuizLesson } from './QuizLesson';

let calls: HeldCall[] = [];
const ids: string[] = [];

beforeEach(() => {
  resetBrowser();
  signIn(7);
  saveSession(SESSION, 't');
  calls = holdServer();
  ids.length = 0;
  const randomUUID = () => {
    ids.push(`event-${ids.length + 1}`);
    return ids.at(-1) as string;
  };
  Object.defineProperty(globalThis.crypto, 'randomUUID', { value: randomUUID, configurable: true });
});

const show = (quiz: Quiz = QUIZ) => renderLearning(<QuizLesson quiz={quiz} learner={7} />);
const press = (name: string) => act(async () => userEvent.click(screen.getByRole('button', { name })));
const attempts = () => calls.filter(({ path }) => path.endsWith('/attempts'));
const sent = (call?: HeldCall) =>
  (call?.body ?? {}) as { eventId: string; answers: unknown; revision: number };

async function answerAll() {
  await act(async () => {
    await userEvent.click(screen.getAllByRole('radio')[1] as HTMLElement);
    await userEvent.click(screen.getAllByRole('checkbox')[0] as HTMLElement);
    await userEvent.type(screen.getByRole('textbox', { name: 'Answer to question 3, in %' }), '19.25');
  });
}

const ANSWERS = { vat: ['b'], rates: ['a'], share: '19.25' };

/** isOver: right answers and explanations are sent. */
function result(score: number, isOver = false): QuizResult {
  const row = { explanation: null, order: ['b', 'a'], answer: ['b'], right: isOver ? ['a'] : null };
  return {
    number: 1,
    score,
    isPassed: score >= 700,
    attemptedAt: '2026-03-01T12:00:00Z',
    questions: [
      { id: 'vat', mark: 0, ...row },
      { id: 'rates', mark: 500, ...row },
      {
        id: 'share',
        mark: 1000,
        order: [],
        explanation: isOver ? '<p>Because.</p>' : null,
        answer: '19.25',
        right: isOver ? '19.25' : null,
      },
    ],
  };
}

test('answers are sent, and the result takes the focus and links to each question', async () => {
  await show();
  await answerAll();
  await press('Send answers');
  expect(sent(attempts()[0])).toEqual({ eventId: 'event-1', revision: 2, answers: ANSWERS });
  await act(async () =>
    attempts()[0]?.answer({
      quiz: { ...QUIZ, number: 2, result: result(500) },
      isDone: false,
      completedAt: null,
    }),
  );
  expect(screen.getByRole('heading', { name: 'Not passed yet: 50%' })).toHaveFocus();
  const links = screen.getAllByRole('link', { name: /^Question/ });
  expect(links.map((link) => [link.textContent, link.getAttribute('href')])).toEqual([
    ['Question 1: Wrong', '#result-vat'],
    ['Question 2: Partly right, 50%', '#result-rates'],
    ['Question 3: Right', '#result-share'],
  ]);
  expect(screen.getByText(/^Right answers and explanations come when you have passed/)).toBeVisible();
  expect(lessonDrafts.read('quiz', 7, 3)).toBeNull();
  await press('Try again');
  expect(screen.getAllByRole('radio')[0]).toHaveFocus();
  expect(screen.queryAllByRole('radio', { checked: true })).toEqual([]);
});

test('while another attempt is left only the answer given is marked, in the order it was asked', async () => {
  await show({ ...QUIZ, result: result(500) });
  const options = [...document.querySelectorAll('#result-vat .quiz-option')];
  expect(options.map(({ className, textContent }) => [className, textContent])).toEqual([
    ['quiz-option quiz-option--wrong', expect.stringMatching(/your answer$/)],
    ['quiz-option', expect.not.stringContaining('right')],
  ]);
  expect(
    document.querySelector('#result-rates .quiz-option--wrong, #result-rates .quiz-option--right'),
  ).toBeNull();
  expect(screen.getByText('Your answer: 19.25 %.')).toBeVisible();
});

test('right answers and explanations are shown when no attempt is left', async () => {
  await show({ ...QUIZ, attemptsLeft: 0, result: result(500, true) });
  const options = [...document.querySelectorAll('#result-vat .quiz-option')];
  expect(options.map(({ className }) => className)).toEqual([
    'quiz-option quiz-option--wrong',
    'quiz-option quiz-option--right',
  ]);
  expect(screen.getByText('Right: 19.25 %.')).toBeVisible();
  expect(screen.getByText('Because.')).toBeVisible();
});

test('open questions are named, and nothing is sent', async () => {
  await show();
  await press('Send answers');
  expect(screen.getByText('3 questions are not answered yet.')).toBeVisible();
  expect(screen.getAllByText('Answer this question.')).toHaveLength(3);
  expect(screen.getAllByRole('radio')[0]).toHaveFocus();
  expect(attempts()).toEqual([]);
});

test('a draft survives a reload, for its learner alone', async () => {
  await show();
  await answerAll();
  cleanup();
  await show();
  expect(screen.getByRole('textbox')).toHaveValue('19.25');
  expect(screen.getAllByRole('radio')[1]).toBeChecked();
  expect(lessonDrafts.read('quiz', 8, 3)).toBeNull();
});

test('an attempt whose answer was lost is sent again as the same one, also after a reload', async () => {
  await show();
  await answerAll();
  await press('Send answers');
  await act(async () => attempts()[0]?.answer({ title: 'No' }, 503));
  expect(screen.getByText(/Your answers are kept here\. Send them when/)).toBeVisible();
  cleanup();
  await show();
  await press('Send answers');
  expect(attempts().map((call) => sent(call).eventId)).toEqual(['event-1', 'event-1']);
});

test('refused answers keep their place, and the next ones are another attempt', async () => {
  await show();
  await answerAll();
  await press('Send answers');
  await act(async () =>
    attempts()[0]?.answer({ title: 'No', errors: { 'answers.share': 'Enter a number.' } }, 422),
  );
  expect(screen.getByText('Enter a number.')).toBeVisible();
  expect(screen.getByRole('textbox')).toHaveFocus();
  await press('Send answers');
  expect(attempts().map((call) => sent(call).eventId)).toEqual(['event-1', 'event-2']);
});

test('after the end of the sign-in answers are kept, with a way to sign in', async () => {
  await show();
  await answerAll();
  await press('Send answers');
  await act(async () => attempts()[0]?.answer({ title: 'No' }, 401));
  expect(screen.getByRole('link', { name: 'Sign in' }).getAttribute('href')).toMatch(/^\/api\/auth\/start/);
  expect(lessonDrafts.read('quiz', 7, 3)).toMatchObject({ answers: ANSWERS, eventId: 'event-1' });
});

test('new questions keep the answers that still fit', async () => {
  await show();
  await answerAll();
  await press('Send answers');
  const quiz = { ...QUIZ, revision: 3, questions: QUIZ.questions.slice(0, 1) };
  await act(async () =>
    attempts()[0]?.answer({ title: 'No', detail: 'The questions have changed.', quiz }, 409),
  );
  expect(screen.getByText('The questions have changed.')).toBeVisible();
  expect(screen.getAllByRole('radio')[1]).toBeChecked();
  await press('Send answers');
  expect(sent(attempts()[1])).toEqual({ eventId: 'event-2', revision: 3, answers: { vat: ['b'] } });
});

test('without an attempt left, or before the next one, nothing can be tried', async () => {
  await show({ ...QUIZ, attemptsLeft: 0, result: result(0) });
  expect(screen.getByText(/No attempt is left/)).toBeVisible();
  expect(screen.queryByRole('button')).toBeNull();
  cleanup();
  await show({ ...QUIZ, nextAttemptAt: new Date(Date.now() + 60_000).toISOString(), result: result(0) });
  expect(screen.getByText(/^The next attempt is possible from/)).toBeVisible();
  expect(screen.queryByRole('button')).toBeNull();
});

test('a decimal comma is named where the shop has one', async () => {
  await renderLearning(<QuizLesson quiz={QUIZ} learner={7} />, undefined, {
    ...SITE,
    forms: shopFormat('de-DE', 'EUR').forms,
  });
  expect(screen.getByText('A number, such as 12,5')).toBeVisible();
  fireEvent.change(screen.getByRole('textbox'), { target: { value: '19,25' } });
  expect(lessonDrafts.read('quiz', 7, 3)?.answers).toEqual({ share: '19,25' });
});
