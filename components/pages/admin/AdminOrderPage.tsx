import { ActionForm } from '../../admin/actions/ActionForm';
import { DetailView } from '../../admin/DetailView';
import type { AdminOrderProps } from '../../contracts/schema';

export function AdminOrderPage({ decisions, refund, ...props }: AdminOrderProps) {
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
          {refund && (
            <div className="area-folds">
              <ActionForm action={refund} frame="fold" />
            </div>
          )}
        </>
      }
    />
  );
}
