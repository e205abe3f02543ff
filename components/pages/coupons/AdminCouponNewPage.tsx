import { NewCouponForm } from '../../admin/coupons/NewCouponForm';
import type { NewCouponProps } from '../../contracts/schema';

export function AdminCouponNewPage(props: NewCouponProps) {
  return (
    <div className="area-page">
      <header className="area-page__head row">
        <div>
          <a className="area-page__back" href={props.backHref}>
            All coupons
          </a>
          <h1>{props.title}</h1>
        </div>
      </header>
      <NewCouponForm {...props} />
    </div>
  );
}
