import { ActionView } from '../../admin/actions/ActionView';
import { useRefreshWhile } from '../../admin/useRefreshWhile';
import { useSite } from '../../api/site';
import type { BulkChangeProps } from '../../contracts/schema';
import { DataTable } from '../../ui/table/DataTable';

export function AdminBulkChangePage({ isRunning, table, ...props }: BulkChangeProps) {
  useRefreshWhile(isRunning);
  return (
    <ActionView {...props}>
      <DataTable table={table} site={useSite()} />
    </ActionView>
  );
}
