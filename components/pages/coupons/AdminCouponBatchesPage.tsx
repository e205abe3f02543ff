import { ListView } from '../../admin/ListView';
import type { CouponBatchesProps } from '../../contracts/schema';

export function AdminCouponBatchesPage({ mayWrite, ...props }: CouponBatchesProps) {
  return (
    <ListView
      {...props}
      actions={
        mayWrite && (
          <a className="button" href="/admin/coupons/batches/new">
            Make a batch
          </a>
        )
      }
    />
  );
}
