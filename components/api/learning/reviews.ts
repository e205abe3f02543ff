import type { CourseReview, ReviewText } from '../../contracts/schema';
import { post, put, remove } from '../client';

/** Writes or changes the learner's review of a course. Rejects with 422 by field. */
export function putReview(course: number, review: ReviewText): Promise<CourseReview> {
  return put<CourseReview>(`/learning/courses/${course}/review`, review);
}

/** Resolves to what the learner can do now; without a review nothing is changed. */
export function deleteReview(course: number): Promise<CourseReview> {
  return remove<CourseReview>(`/learning/courses/${course}/review`, {});
}

/** Reports a review of somebody else. Rejects with 403 for the learner's own. */
export function reportReview(id: number, reason: string): Promise<unknown> {
  return post(`/reviews/${id}/report`, { reason });
}
