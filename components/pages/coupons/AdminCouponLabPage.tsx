import { CouponLab } from '../../admin/coupons/CouponLab';
import type { CouponLabProps } from '../../contracts/schema';

export function AdminCouponLabPage(props: CouponLabProps) {
  return (
    <div className="area-page">
      <header className="area-page__head row">
        <div>
          <a className="area-page__back" href="/admin/coupons">
            All coupons
          </a>
          <h1>{props.title}</h1>
        </div>
      </header>
      <CouponLab {...props} />
    </div>
  );
}
