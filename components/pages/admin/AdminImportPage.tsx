import { ImportStatusView } from '../../admin/imports/ImportStatusView';
import type { ImportProps } from '../../contracts/schema';

export function AdminImportPage(props: ImportProps) {
  return <ImportStatusView key={props.status.id} {...props} />;
}
