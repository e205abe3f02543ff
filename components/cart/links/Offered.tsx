import { useState } from 'react';
import { refreshAuth, useAuth } from '../../api/auth';
import { providerPage } from '../../api/identity';
import { useNavigate } from '../../browser/useNavigate';
import type { CartLineSchema, OfferedLines } from '../../contracts/schema';
import type { Format } from '../../format/format';
import { AddForm } from '../../forms/AddForm';
import { Notice } from '../../ui/Notice';
import { notify } from '../../ui/toasts/toasts';
import { takeOverLines } from '../account/takeOverLines';
import { addToCart, withErrorToast } from '../actions/cartActions';
import { changeCoupon } from '../actions/cartChanges';
import { added } from '../store/cartTexts';
import { currentQuote } from '../store/quoteStore';

type OfferedProps = { offered: OfferedLines; format: Format };

/** Products of a link, or of a form sent before the script ran: one press puts them in the cart. */
export function Offered({ offered, format }: OfferedProps) {
  const [isBusy, setIsBusy] = useState(false);
  const navigate = useNavigate();
  const { learner } = useAuth();
  const { lines, changes, promise } = offered;
  if (lines.length === 0)
    return (
      <Notice kind="warning" title="Nothing to add">
        {changes.length === 0 && <p>This link has expired, or what it held is no longer sold.</p>}
        <Changes changes={changes} />
      </Notice>
    );

  async function add() {
    setIsBusy(true);
    await putIn(offered);
    // The address no longer offers them.
    navigate('/cart', { replace: true });
  }

  const question = lines.length === 1 ? 'Add this to your cart?' : 'Add these to your cart?';
  return (
    <Notice title={offered.isGift ? 'Give this as a gift?' : question}>
      <ul>
        {lines.map((line) => (
          <li key={line.id}>
            {line.quantity > 1 && `${line.quantity} × `}
            <a href={line.href}>{line.name}</a>
            {`, ${format.price(line.unitPrice)}`}
          </li>
        ))}
      </ul>
      <Changes changes={changes} />
      {promise && <p>{promise}</p>}
      {offered.isGift ? (
        <GiveForm id={lines[0]?.id ?? 0} />
      ) : promise && !learner ? (
        <SignIn returnTo={`/cart?cartToken=${offered.token}`} text="Sign in to buy at these prices" />
      ) : (
        <button
          type="button"
          className="button button--quiet"
          aria-disabled={isBusy}
          onClick={() => void (isBusy || add())}
        >
          Add to cart
        </button>
      )}
    </Notice>
  );
}

/** What is not any more as it was when the link was made. */
function Changes({ changes }: { changes: readonly string[] }) {
  return changes.map((change) => <p key={change}>{change}</p>);
}

function SignIn({ returnTo, text }: { returnTo: string; text: string }) {
  return (
    <a className="button button--quiet" href={providerPage({ returnTo, area: 'learner' })}>
      {text}
    </a>
  );
}

/** A gift needs an account: the host stores with the line that it is one. */
function GiveForm({ id }: { id: number }) {
  const { learner } = useAuth();
  if (!learner) return <SignIn returnTo={`/cart?add=${id}&gift=1`} text="Sign in to give it" />;
  return (
    <AddForm>
      <input type="hidden" name="gift" value="1" />
      <button type="submit" className="button button--quiet" name="id" value={id}>
        Add to cart
      </button>
    </AddForm>
  );
}

/** The coupon of a link counts where the cart has none. */
async function putIn({ lines, coupon, token }: OfferedLines): Promise<void> {
  if (refreshAuth().learner) await takeOver(lines, token);
  else for (const line of lines) await addToCart(productOf(line), line.quantity);
  if (coupon && !currentQuote().cart?.coupon) await changeCoupon(coupon);
}

async function takeOver(lines: readonly CartLineSchema[], token: string): Promise<void> {
  const names = new Map(lines.map(({ id, name }) => [id, name]));
  for (const { id, outcome, message } of (await withErrorToast(() => takeOverLines(lines, token))) ?? []) {
    const isRefused = outcome === 'refused';
    await notify(isRefused ? 'error' : 'success', message || added(names.get(id) ?? ''));
  }
}

const productOf = (line: CartLineSchema) => ({
  id: line.id,
  name: line.name,
  listPrice: line.listPrice,
  price: line.salePrice ?? line.listPrice,
  kind: line.kind,
  itemKind: line.itemKind,
});
