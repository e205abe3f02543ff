import { ListView } from '../../../admin/ListView';
import type { ListPageProps } from '../../../contracts/schema';

export function AdminContractsPage(props: ListPageProps) {
  return (
    <ListView
      {...props}
      actions={
        <a className="button" href="/admin/contracts/new">
          Make a contract
        </a>
      }
    />
  );
}
