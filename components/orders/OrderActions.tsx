import { useState } from 'react';
import { cancelOrder, payOrder } from '../api/orders/orders';
import { useRefresh } from '../api/session/privatePage';
import { navigateTo } from '../browser/navigation';
import type { Order } from '../contracts/schema';
import { FormError } from '../forms/call/FormError';
import { CallError } from '../forms/call/SignInAgain';
import { useCall } from '../forms/call/useCall';
import { ConfirmDialog } from '../ui/ConfirmDialog';
import { Button } from '../ui/controls/Button';

type OrderActionsProps = { order: Order };

/** What can still be done with an order that is not paid: go on paying, change it, cancel it. */
export function OrderActions({ order }: OrderActionsProps) {
  const refresh = useRefresh();
  const call = useCall();
  const [isAsking, setIsAsking] = useState(false);
  const [refusal, setRefusal] = useState('');
  if (!order.canPay && !order.canCancel) return null;

  const pay = () => call.run(async () => navigateTo(await payOrder(order)));
  const cancel = () =>
    call.run(async () => {
      const outcome = await cancelOrder(order);
      setRefusal(outcome.status === 'failed' ? outcome.message : '');
      await refresh();
    });

  return (
    <div className="order-actions">
      {refusal ? <FormError text={refusal} /> : <CallError call={call} />}
      <div className="row">
        {order.canPay && (
          <Button variant="accent" isBusy={call.isBusy} busyText="One moment…" onClick={() => void pay()}>
            Go on to payment
          </Button>
        )}
        {order.canCancel && (
          <>
            {!order.transfer && (
              <a className="button button--quiet" href="/cart">
                Change the order
              </a>
            )}
            <Button variant="text-quiet" isDisabled={call.isBusy} onClick={() => setIsAsking(true)}>
              Cancel this order
            </Button>
          </>
        )}
      </div>
      {isAsking && (
        <ConfirmDialog
          question="Cancel this order?"
          text={
            order.transfer
              ? 'If you have transferred money for it already, we give it back.'
              : 'Nothing has been charged. What you chose stays in your cart.'
          }
          yes="Cancel the order"
          no="Keep it"
          onYes={() => void cancel()}
          onClose={() => setIsAsking(false)}
        />
      )}
    </div>
  );
}
