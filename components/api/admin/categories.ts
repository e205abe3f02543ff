import type { CatalogueEntryImage, StaffOutcome } from '../../contracts/schema';
import { post } from '../client';

/** The lists in the area, as their addresses name them. */
export type EntryList = 'categories' | 'instructors';

/** May reject with ApiProblem. */
export const setEntryImage = (list: EntryList, id: number, body: CatalogueEntryImage) =>
  post<StaffOutcome>(`/admin/${list}/${id}/image`, body);
