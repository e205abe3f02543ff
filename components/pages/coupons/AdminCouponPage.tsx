import { CouponActions } from '../../admin/coupons/CouponActions';
import { DetailView } from '../../admin/DetailView';
import type { CouponProps } from '../../contracts/schema';

export function AdminCouponPage(props: CouponProps) {
  return <DetailView {...props} forms={<CouponActions {...props} />} />;
}
