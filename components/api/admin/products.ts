import type { BulkChoice, BulkChosen } from '../../contracts/schema';
import { post } from '../client';
import { optionsNamed } from './actions';

/** Products whose name has this text, for a field in which one is picked. May reject with ApiProblem. */
export const productsNamed = optionsNamed('/admin/picker/products');

/** Chooses courses or items for one change. May reject with ApiProblem. */
export const chooseProducts = (choice: BulkChoice) => post<BulkChosen>('/admin/bulk', choice);
