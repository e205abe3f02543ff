import { ListView } from '../../admin/ListView';
import type { CouponsProps } from '../../contracts/schema';

export function AdminCouponsPage({ mayWrite, ...props }: CouponsProps) {
  return (
    <ListView
      {...props}
      actions={
        mayWrite && (
          <a className="button" href="/admin/coupons/new">
            Create a coupon
          </a>
        )
      }
    />
  );
}
