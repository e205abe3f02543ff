import type { CheckedChain } from '../../contracts/schema';
import { post } from '../client';

/** Checks every recorded event, as far as the host has time. */
export const verifyAudit = () => post<CheckedChain>('/admin/audit/verify', {});
