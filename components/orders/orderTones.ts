import type { OrderStatus } from '../contracts/schema';
import type { BadgeTone } from '../ui/Badge';

/** The sign beside the state's words. */
export const TONES: Record<OrderStatus['state'], BadgeTone> = {
  placed: 'warning',
  processing: 'info',
  paid: 'good',
  expired: 'neutral',
  cancelled: 'neutral',
  refunded: 'info',
};
