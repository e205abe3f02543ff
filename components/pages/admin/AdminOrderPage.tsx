import { DetailView } from '../../admin/DetailView';
import { RefundForm } from '../../admin/orders/RefundForm';
import type { AdminOrderProps } from '../../contracts/schema';

export function AdminOrderPage(props: AdminOrderProps) {
  return (
    <>
      <DetailView {...props} />
      {props.refundLines.length > 0 && (
        <div className="area-forms">
          <section className="area-box" aria-labelledby="refund">
            <h2 className="heading-m" id="refund">
              Refund lines
            </h2>
            <RefundForm {...props} />
          </section>
        </div>
      )}
    </>
  );
}
