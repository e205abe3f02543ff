import { MergeReport } from './CartNotices';
import { useMergeReport } from './store/mergeReport';

/** What was chosen before the sign-in and is not in the account's cart, with the reasons; the cart shows all outcomes. */
export function MergeRefusals() {
  const refused = useMergeReport().filter(({ outcome }) => outcome === 'refused');
  if (refused.length === 0) return null;
  return (
    <div role="status">
      <MergeReport entries={refused} />
    </div>
  );
}
