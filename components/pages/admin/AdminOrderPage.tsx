import { ActionForm } from '../../admin/actions/ActionForm';
import { DetailView } from '../../admin/DetailView';
import type { AdminOrderProps } from '../../contracts/schema';

/** What waits for somebody is open above the order; everything else that can be done opens under its title. */
export function AdminOrderPage({ decisions, refundAll, refund, others, ...props }: AdminOrderProps) {
  const folded = [refundAll, refund, ...others].filter((action) => action !== null);
  return (
    <DetailView
      {...props}
      forms={
        <>
          {decisions.length > 0 && (
            <div className="area-forms">
              {decisions.map((action) => (
                <ActionForm key={action.id} action={action} />
              ))}
            </div>
          )}
          {folded.length > 0 && (
            <div className="area-folds">
              {folded.map((action) => (
                <ActionForm key={action.id} action={action} frame="fold" />
              ))}
            </div>
          )}
        </>
      }
    />
  );
}
