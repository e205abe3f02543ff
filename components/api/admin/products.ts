import type { BulkChoice, BulkChosen, PickedOrganisations, PickedProducts } from '../../contracts/schema';
import { get, post } from '../client';

/** Products whose name has this text, for a field in which one is picked. May reject with ApiProblem. */
export async function productsNamed(text: string) {
  const { products } = await get<PickedProducts>(`/admin/picker/products?q=${encodeURIComponent(text)}`);
  return products.map(({ slug, name, detail }) => ({ value: slug, text: name, detail }));
}

/** Chooses courses or items for one change. May reject with ApiProblem. */
export const chooseProducts = (choice: BulkChoice) => post<BulkChosen>('/admin/bulk', choice);

/** Organisations that may have a contract, likewise. May reject with ApiProblem. */
export async function organisationsNamed(text: string) {
  const path = `/admin/picker/organisations?q=${encodeURIComponent(text)}`;
  const { organisations } = await get<PickedOrganisations>(path);
  return organisations.map(({ slug, name }) => ({ value: slug, text: name, detail: slug }));
}
