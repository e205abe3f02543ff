import cartStyles from '../../static/css/cart.css?text';
import { useStyles } from '../ui/useStyles';
import { MergeReport } from './CartNotices';
import { useMergeReport } from './store/mergeReport';

/** What was chosen before the sign-in and is not in the account's cart, with the reasons; for pages other than the cart. */
export function MergeRefusals() {
  useStyles(cartStyles);
  const refused = useMergeReport().filter(({ outcome }) => outcome === 'refused');
  if (refused.length === 0) return null;
  return (
    <div className="merge-refusals page-section" role="status">
      <MergeReport entries={refused} />
    </div>
  );
}
