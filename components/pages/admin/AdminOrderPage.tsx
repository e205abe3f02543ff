import { ActionForm } from '../../admin/actions/ActionForm';
import { DetailView } from '../../admin/DetailView';
import { RefundForm } from '../../admin/orders/RefundForm';
import type { AdminOrderProps } from '../../contracts/schema';

export function AdminOrderPage(props: AdminOrderProps) {
  const { decisions, refundLines } = props;
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
          {refundLines.length > 0 && (
            <div className="area-folds">
              <RefundForm {...props} />
            </div>
          )}
        </>
      }
    />
  );
}
