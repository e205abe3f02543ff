import type { ReactNode } from 'react';
import { useNavigate } from 'react-router-dom';
import { chooseProducts } from '../../api/admin/products';
import type { ListPageProps } from '../../contracts/schema';
import { apiErrorText } from '../../forms/call/apiErrorText';
import type { Selected } from '../../ui/table/useSelection';
import { notify } from '../../ui/toasts/toasts';
import { ListView } from '../ListView';

type ProductListProps = ListPageProps & { kind: 'course' | 'item'; actions: ReactNode };

/** All courses or items; the chosen ones lead to the page of one change of all of them. */
export function ProductList({ kind, ...list }: ProductListProps) {
  const navigate = useNavigate();
  const choose = async (_action: string, selected: Selected) => {
    try {
      const { id } = await chooseProducts(
        'ids' in selected
          ? { kind, ids: selected.ids.map(Number), filters: null }
          : { kind, ids: null, filters: selected.filters },
      );
      navigate(`/admin/bulk/${id}`);
    } catch (problem) {
      void notify('error', apiErrorText(problem));
      // The rows stay selected.
      throw problem;
    }
  };
  return <ListView {...list} onBulk={choose} />;
}
