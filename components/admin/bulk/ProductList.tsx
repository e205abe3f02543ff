import type { ReactNode } from 'react';
import { chooseProducts } from '../../api/admin/products';
import { useNavigate } from '../../browser/useNavigate';
import type { BulkChoice, ListPageProps } from '../../contracts/schema';
import { apiErrorText } from '../../forms/call/apiErrorText';
import type { Selected } from '../../ui/table/useSelection';
import { notify } from '../../ui/toasts/toasts';
import { ListView } from '../ListView';

type Purpose = NonNullable<BulkChoice['purpose']>;
type ProductListProps = ListPageProps & { kind: 'course' | 'item'; actions: ReactNode };

/** All courses or items; the actions of its rows are the purposes of a bulk change: the chosen ones lead to the page of one change of all of them. */
export function ProductList({ kind, ...list }: ProductListProps) {
  const navigate = useNavigate();
  const choose = async (purpose: string, selected: Selected) => {
    try {
      const { id } = await chooseProducts(
        'ids' in selected
          ? { kind, purpose: purpose as Purpose, ids: selected.ids.map(Number), filters: null }
          : { kind, purpose: purpose as Purpose, ids: null, filters: selected.filters },
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
