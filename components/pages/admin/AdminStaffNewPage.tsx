import { FormPage } from '../../admin/actions/FormPage';
import type { NewStaffProps } from '../../contracts/schema';

export function AdminStaffNewPage(props: NewStaffProps) {
  return <FormPage {...props} backText="All staff" />;
}
