import type { StatementRequest, StatementStatus } from '../../contracts/schema';
import { post } from '../client';

/** Checks an uploaded statement of the bank, or books its entries. Rejects with ApiProblem. */
export const startStatement = (request: StatementRequest) =>
  post<StatementStatus>('/admin/bank-statements', request);

export const stopStatement = (id: number) => post<StatementStatus>(`/admin/bank-statements/${id}/stop`, {});
