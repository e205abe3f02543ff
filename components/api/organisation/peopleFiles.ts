import type { PeopleFileRequest, PeopleFileStatus } from '../../contracts/schema';
import { get, post } from '../client';

/** Checks an uploaded file of people, or sends its invitations. Rejects with ApiProblem. */
export const startPeopleFile = (request: PeopleFileRequest) =>
  post<PeopleFileStatus>('/organization/people-files', request);

export const readPeopleFile = (id: number) => get<PeopleFileStatus>(`/organization/people-files/${id}`);

export const stopPeopleFile = (id: number) =>
  post<PeopleFileStatus>(`/organization/people-files/${id}/stop`, {});
