import { DetailView } from '../../admin/DetailView';
import { RoleForms } from '../../admin/staff/RoleForms';
import type { StaffMemberProps } from '../../contracts/schema';

export function AdminStaffMemberPage(props: StaffMemberProps) {
  return (
    <DetailView {...props}>
      <RoleForms {...props} />
    </DetailView>
  );
}
