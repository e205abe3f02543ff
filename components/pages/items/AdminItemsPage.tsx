import { ProductList } from '../../admin/bulk/ProductList';
import type { ListPageProps } from '../../contracts/schema';

export function AdminItemsPage(props: ListPageProps) {
  return (
    <ProductList
      {...props}
      kind="item"
      actions={
        <a className="button" href="/admin/items/new">
          New item
        </a>
      }
    />
  );
}
