import type { ImportCheck, ImportStatus } from '../../contracts/schema';
import { get, post } from '../client';

/** Each may reject with ApiProblem. */
export const checkImport = (body: ImportCheck) => post<ImportStatus>('/admin/imports/checks', body);

export const startImport = (checkId: number) => post<ImportStatus>('/admin/imports', { checkId });

export const readImport = (id: number) => get<ImportStatus>(`/admin/imports/${id}`);

export const stopImport = (id: number) => post<ImportStatus>(`/admin/imports/${id}/stop`, {});
