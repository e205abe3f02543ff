import { NewBatchForm } from '../../admin/coupons/NewBatchForm';
import type { NewCouponProps } from '../../contracts/schema';

export function AdminCouponBatchNewPage(props: NewCouponProps) {
  return (
    <div className="area-page">
      <header className="area-page__head row">
        <div>
          <a className="area-page__back" href="/admin/coupons/batches">
            All batches
          </a>
          <h1>{props.title}</h1>
        </div>
      </header>
      <NewBatchForm {...props} />
    </div>
  );
}
