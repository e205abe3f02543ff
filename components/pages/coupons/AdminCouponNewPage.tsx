import { FormPage } from '../../admin/actions/FormPage';
import type { NewCouponProps } from '../../contracts/schema';

export function AdminCouponNewPage(props: NewCouponProps) {
  return <FormPage {...props} />;
}
