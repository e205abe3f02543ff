import type { CourseSaved, ItemDeliveryChange, NewShopItem } from '../../contracts/schema';
import { post, put } from '../client';

/** Each may reject with ApiProblem; those with a version also for what somebody else has saved since. */
export const createItem = (item: NewShopItem) => post<CourseSaved>('/admin/items', item);
export const saveItemDelivery = (id: number, delivery: ItemDeliveryChange) =>
  put<CourseSaved>(`/admin/items/${id}/delivery`, delivery);
