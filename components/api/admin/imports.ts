import type { ImportCheck, ImportColumns, ImportColumnsRequest, ImportStatus } from '../../contracts/schema';
import { get, post } from '../client';

/** Each may reject with ApiProblem. */
export const checkImport = (body: ImportCheck) => post<ImportStatus>('/admin/imports/checks', body);

/** The columns of a file that was sent, with their first values. */
export const readColumns = (body: ImportColumnsRequest) =>
  post<ImportColumns>('/admin/imports/columns', body);

export const startImport = (checkId: number) => post<ImportStatus>('/admin/imports', { checkId });

export const readImport = (id: number) => get<ImportStatus>(`/admin/imports/${id}`);

export const stopImport = (id: number) => post<ImportStatus>(`/admin/imports/${id}/stop`, {});
