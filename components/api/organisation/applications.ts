import type { ApplicationForm, StaffOutcome, StoredApplication } from '../../contracts/schema';
import { post } from '../client';

/** Applies for a new organisation. Rejects with ApiProblem. */
export const applyForOrganisation = (form: ApplicationForm) =>
  post<StoredApplication>('/organization/applications', form);

/** Applies again for one's own organisation that was declined. Rejects with ApiProblem. */
export const applyAgain = (id: number, form: ApplicationForm) =>
  post<StaffOutcome>(`/organization/applications/${id}/resubmit`, form);
