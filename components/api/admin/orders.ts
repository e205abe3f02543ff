import type {
  AdminRefund,
  AdminRefundLines,
  AdminRefundOutcome,
  AdminRefundPreview,
} from '../../contracts/schema';
import { post } from '../client';

const path = (code: string) => `/admin/orders/${encodeURIComponent(code)}/refunds`;

/** What a refund would send and end. May reject with ApiProblem, as `refundLines`. */
export const previewRefund = (code: string, lines: AdminRefundLines) =>
  post<AdminRefundPreview>(`${path(code)}/preview`, lines);

/** Refunds what a preview has shown; ApiProblem also for a sign-in that is not recent. */
export const refundLines = (code: string, refund: AdminRefund) =>
  post<AdminRefundOutcome>(path(code), refund);
