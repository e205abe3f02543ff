import { ListView } from '../../admin/ListView';
import type { CouponsProps } from '../../contracts/schema';

export function AdminCouponsPage({ mayWrite, ...props }: CouponsProps) {
  return (
    <ListView
      {...props}
      actions={
        <p className="area-form__buttons row">
          <a className="button button--quiet" href="/admin/coupons/lab">
            Try codes in the lab
          </a>
          {mayWrite && (
            <a className="button" href="/admin/coupons/new">
              Create a coupon
            </a>
          )}
        </p>
      }
    />
  );
}
