import { SignInToSeeOrder } from '../../account/SignInFirst';
import type { OrderPageProps } from '../../contracts/schema';
import { PrivateContent } from '../../layouts/PrivateContent';
import { OrderView } from '../../orders/OrderView';
import { RefundForm } from '../../orders/refunds/RefundForm';

export function OrderPage({ order }: Partial<OrderPageProps>) {
  return (
    <PrivateContent data={order} signedOut={<SignInToSeeOrder />}>
      {(own) => (
        <OrderView
          order={own}
          refundForm={own.refundForm && <RefundForm code={own.code} form={own.refundForm} />}
        />
      )}
    </PrivateContent>
  );
}
