import type { PriceSaved } from '../../contracts/schema';
import { post } from '../client';

/** May reject with ApiProblem. */
export const withdrawPrice = (id: number) => post<PriceSaved>(`/admin/prices/${id}/withdraw`, {});
