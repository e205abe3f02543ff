import { ActionView } from '../../admin/actions/ActionView';
import { BatchFile } from '../../admin/coupons/BatchFile';
import type { CouponBatchProps } from '../../contracts/schema';

export function AdminCouponBatchPage({ isRunning, takeCall, ...props }: CouponBatchProps) {
  return (
    <ActionView
      {...props}
      beside={<BatchFile name={props.heading} isRunning={isRunning} takeCall={takeCall} />}
    />
  );
}
