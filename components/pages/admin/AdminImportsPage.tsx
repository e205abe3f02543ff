import { ImportsView } from '../../admin/imports/ImportsView';
import type { ImportsProps } from '../../contracts/schema';

export function AdminImportsPage(props: ImportsProps) {
  return <ImportsView {...props} />;
}
