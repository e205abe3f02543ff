import type { LessonNote } from '../../contracts/schema';
import { type ApiProblem, put } from '../client';

type Draft = { learnerId: number; body: string; version: number };

/** `keepalive`: the page is being left. */
export function saveNote(lesson: number, draft: Draft, keepalive = false): Promise<LessonNote> {
  return put<LessonNote>(`/learning/lessons/${lesson}/note`, draft, { keepalive });
}

/** The newer note, when a draft was refused because the note was changed elsewhere. */
export function newerNote({ status, members }: ApiProblem): LessonNote | null {
  return status === 409 && members.note ? (members.note as LessonNote) : null;
}
