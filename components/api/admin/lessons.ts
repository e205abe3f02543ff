import type {
  CoursePackageView,
  CourseSaved,
  LessonContentChange,
  LessonSaved,
  OutlineChange,
  OutlineDraft,
  OutlinePreview,
  QuizTrial,
  RenderedLesson,
  StoredFile,
  TriedQuiz,
} from '../../contracts/schema';
import { post, put } from '../client';

/** Each may reject with ApiProblem; those with a version also for what somebody else has saved since. */
export const saveOutline = (courseId: number, outline: OutlineChange) =>
  put<CourseSaved>(`/admin/courses/${courseId}/outline`, outline);
export const previewOutline = (courseId: number, outline: OutlineDraft) =>
  post<OutlinePreview>(`/admin/courses/${courseId}/outline-preview`, outline);
/** What an uploaded course package would bring; nothing is stored. */
export const previewPackage = (courseId: number, uploadId: number) =>
  post<CoursePackageView>(`/admin/courses/${courseId}/package`, { uploadId });
export const saveLesson = (lessonId: number, lesson: LessonContentChange) =>
  put<LessonSaved>(`/admin/lessons/${lessonId}`, lesson);
export const previewLesson = (text: string) => post<RenderedLesson>('/admin/lesson-preview', { text });
export const tryQuiz = (trial: QuizTrial) => post<TriedQuiz>('/admin/quiz-trial', trial);
export const storeLessonFile = (uploadId: number) => post<StoredFile>('/admin/lesson-files', { uploadId });
