import type { QuizAnswers } from '../../browser/lessonDrafts/lessonDrafts';
import type { AttemptAnswer, Quiz } from '../../contracts/schema';
import { type ApiProblem, post } from '../client';

type Attempt = { eventId: string; revision: number; answers: QuizAnswers };

/** Sends an attempt; sent again, it gets the same answer. */
export function sendAttempt(lesson: number, attempt: Attempt): Promise<AttemptAnswer> {
  return post<AttemptAnswer>(`/learning/lessons/${lesson}/attempts`, attempt);
}

/** The new questions, when an attempt was refused because they have changed. */
export function newQuestions({ status, members }: ApiProblem): Quiz | null {
  return status === 409 && members.quiz ? (members.quiz as Quiz) : null;
}
