import type { BulkChoice, BulkChosen, CourseSaved, ItemFiles } from '../../contracts/schema';
import { post, put } from '../client';
import { optionsNamed } from './actions';

/** Products whose name has this text, for a field in which one is picked. May reject with ApiProblem. */
export const productsNamed = optionsNamed('/admin/picker/products');

/** Chooses courses or items for one change. May reject with ApiProblem. */
export const chooseProducts = (choice: BulkChoice) => post<BulkChosen>('/admin/bulk', choice);

/** What the buyers of an item can download. May reject with ApiProblem, also for what somebody else has saved since. */
export const saveItemFiles = (itemId: number, files: ItemFiles) =>
  put<CourseSaved>(`/admin/items/${itemId}/files`, files);
