import { ListView } from '../../admin/ListView';
import type { ListPageProps } from '../../contracts/schema';

/** A list that the server describes whole. */
export function ListPage(props: ListPageProps) {
  return <ListView {...props} />;
}
