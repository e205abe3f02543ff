import { FormPage } from '../../admin/actions/FormPage';
import type { NewCouponProps } from '../../contracts/schema';

export function AdminCouponBatchNewPage(props: NewCouponProps) {
  return <FormPage {...props} />;
}
