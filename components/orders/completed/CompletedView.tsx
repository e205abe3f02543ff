import orderStyles from '../../../static/css/orders.css?text';
import { useSite } from '../../api/site';
import type { Order, OrderStatus } from '../../contracts/schema';
import { dateTime } from '../../format/dateTime';
import { formatOf } from '../../format/format';
import { loginAddress } from '../../model/returnTo';
import { Badge } from '../../ui/Badge';
import { useStyles } from '../../ui/useStyles';
import { OrderLines } from '../lines/OrderLines';
import { OrderActions } from '../OrderActions';
import { OrderDocuments } from '../OrderDocuments';
import { OrderPart } from '../OrderPart';
import { OrderTotals } from '../OrderTotals';
import { OrderTransfer, TRANSFER_TEXT } from '../OrderTransfer';
import { kindOf, TEXTS, titleOf } from './completedTexts';
import { useOrderStatus } from './useOrderStatus';
import { usePageOpening } from './usePageOpening';

type CompletedViewProps = {
  first: OrderStatus;
  /** The order of the learner who is signed in; null: only the state is shown. */
  order: Order | null;
  /** While the page to pay on is being opened, the address that leads there. */
  next?: string | null;
  /** The buyer comes back without having paid. */
  isBack?: boolean;
  onChange: () => void;
};

/** The page after paying: the state of the order, followed until it is known, and what comes next. */
export function CompletedView({ first, order, next = null, isBack = false, onChange }: CompletedViewProps) {
  useStyles(orderStyles);
  const { forms } = useSite();
  const { status, answers } = useOrderStatus(first, onChange);
  const isOpening = usePageOpening(first.code, next);
  const kind = kindOf(status, answers, { isOpening, isBack });
  const isWaiting = kind === 'waiting' || kind === 'opening';
  const title = titleOf(kind, status);
  const text = order?.transfer ? TRANSFER_TEXT : (TEXTS[kind].text ?? status.nextStep);
  return (
    <div className="order-page order-page--narrow">
      <header className="order-head order-head--completed">
        {!isWaiting && <Badge tone={status.tone} text={status.stateText} />}
        <h1>
          {isWaiting && <span className="button__ring ring" />}
          {title}
        </h1>
        <p className="hint">{`Order ${status.code}`}</p>
      </header>
      {/* Screen readers hear what changes while the page waits. */}
      <div className="order-state panel" role="status">
        <p>
          <span className="sr-only">{`${title}. `}</span>
          {text}
        </p>
        {status.canPay && status.reservedUntil && (
          <p>{`What you ordered is reserved for you until ${dateTime(status.reservedUntil, forms)}.`}</p>
        )}
      </div>
      {order ? (
        <OwnOrder order={order} showsActions={kind === 'unopened' || kind === 'unpaid' || kind === 'email'} />
      ) : (
        <SignInToSee code={status.code} canPay={status.canPay && !isWaiting} />
      )}
    </div>
  );
}

type OwnOrderProps = { order: Order; showsActions: boolean };

function OwnOrder({ order, showsActions }: OwnOrderProps) {
  const site = useSite();
  const format = formatOf(site);
  return (
    <>
      {order.transfer && (
        <div className="order-state panel">
          <OrderTransfer transfer={order.transfer} format={format} />
        </div>
      )}
      {(showsActions || order.transfer) && <OrderActions order={order} />}
      <OrderPart id="lines" title="What you ordered">
        <OrderLines order={order} format={format} forms={site.forms} />
        <OrderTotals order={order} format={format} />
      </OrderPart>
      <OrderDocuments order={order} format={format} />
      <p className="row order-next">
        {order.lines.flatMap((line) => line.learn).length > 1 && (
          <a className="button" href="/user-dashboard">
            My learning
          </a>
        )}
        <a className="button button--quiet" href={`/order/${order.code}`}>
          See the whole order
        </a>
        <a className="button button--quiet" href="/shop">
          Go on shopping
        </a>
      </p>
    </>
  );
}

function SignInToSee({ code, canPay }: { code: string; canPay: boolean }) {
  const address = canPay ? `/completed/${code}` : `/order/${code}`;
  return (
    <p className="row order-next">
      <a className="button" href={loginAddress(address)}>
        {canPay ? 'Sign in to go on to payment' : 'Sign in to see your order'}
      </a>
    </p>
  );
}
