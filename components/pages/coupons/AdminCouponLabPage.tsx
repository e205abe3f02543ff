import { AreaHead } from '../../admin/AreaHead';
import { CouponLab } from '../../admin/coupons/CouponLab';
import type { CouponLabProps } from '../../contracts/schema';

export function AdminCouponLabPage(props: CouponLabProps) {
  return (
    <div className="area-page">
      <AreaHead heading={props.title} backHref="/admin/coupons" backText="All coupons" />
      <CouponLab {...props} />
    </div>
  );
}
