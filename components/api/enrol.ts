import type { EnrolledCourse } from '../contracts/schema';
import { post } from './client';

/** Enrols in a free course; the address where the learner begins. Rejects with ApiProblem. */
export async function enrol(course: number): Promise<string> {
  return (await post<EnrolledCourse>('/enrol', { course })).redirect;
}
