import type { SeatOutcome } from '../../contracts/schema';
import { post } from '../client';

/** All may reject with ApiProblem: 403 says in words why not. */
export const keepSeat = (seat: number) => post<SeatOutcome>(`/learning/seats/${seat}/keep`, {});

/** 0 days end a pause. */
export const pauseSeat = (seat: number, days: number) =>
  post<SeatOutcome>(`/learning/seats/${seat}/pause`, { days });

export const askForSeat = (courseId: number) => post<SeatOutcome>('/learning/seats/requests', { courseId });

export const withdrawRequest = (request: number) =>
  post<SeatOutcome>(`/learning/seats/requests/${request}/withdraw`, {});
