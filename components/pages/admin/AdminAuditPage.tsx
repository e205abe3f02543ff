import { ChainState } from '../../admin/audit/ChainState';
import { ListView } from '../../admin/ListView';
import type { AuditPageProps } from '../../contracts/schema';

export function AdminAuditPage({ chain, ...list }: AuditPageProps) {
  return <ListView {...list} actions={<ChainState chain={chain} />} />;
}
