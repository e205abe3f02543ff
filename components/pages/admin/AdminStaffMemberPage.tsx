import { ActionView } from '../../admin/actions/ActionView';
import type { StaffMemberProps } from '../../contracts/schema';

export function AdminStaffMemberPage({ note, ...props }: StaffMemberProps) {
  return <ActionView {...props} before={note && <p className="muted">{note}</p>} />;
}
