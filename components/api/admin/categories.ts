import type {
  CatalogueEntryImage,
  CatalogueEntrySaved,
  CategoryChange,
  InstructorChange,
  StaffOutcome,
} from '../../contracts/schema';
import { post, put } from '../client';

/** The lists in the area, as their addresses name them. */
export type EntryList = 'categories' | 'instructors';

/** Each may reject with ApiProblem; saving also for what somebody else has saved since. */
export const createEntry = (list: EntryList, name: string) =>
  post<CatalogueEntrySaved>(`/admin/${list}`, { name });
export const saveEntry = (list: EntryList, id: number, entry: CategoryChange | InstructorChange) =>
  put<CatalogueEntrySaved>(`/admin/${list}/${id}`, entry);
export const setEntryImage = (list: EntryList, id: number, body: CatalogueEntryImage) =>
  post<StaffOutcome>(`/admin/${list}/${id}/image`, body);
