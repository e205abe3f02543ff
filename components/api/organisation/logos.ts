import type { ImageStatus, LogoRequest, StaffOutcome } from '../../contracts/schema';
import { get, post } from '../client';

/** Re-encodes an uploaded picture. Rejects with ApiProblem. */
export const sendLogo = (request: LogoRequest) => post<ImageStatus>('/organization/logos', request);

export const readLogo = (id: number) => get<ImageStatus>(`/organization/logos/${id}`);

/** Shows the picture of a job, or none for null. */
export const putLogo = (jobId: number | null) => post<StaffOutcome>('/organization/profile/logo', { jobId });
