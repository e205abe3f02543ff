import { useEffect, useId, useRef, useState } from 'react';
import { createCartLink } from '../../api/cartLinks';
import { copyText } from '../../browser/navigation';
import { serverNow } from '../../browser/session/session';
import type { CartLink as Link } from '../../contracts/schema';
import { plural } from '../../format/format';
import { FormError } from '../../forms/call/FormError';
import { useCall } from '../../forms/call/useCall';
import type { CartLine } from '../../model/cartLine';
import { Button } from '../../ui/controls/Button';
import { countedLines } from '../store/quoteStore';

const HOUR_MS = 3_600_000;

/** Makes a link that shows these lines on another device, where one press takes them over. */
export function CartLink({ lines }: { lines: readonly CartLine[] }) {
  const call = useCall();
  const [link, setLink] = useState<Link | null>(null);
  const requested = countedLines(lines).map(({ id, quantity }) => ({ id, quantity }));
  const key = JSON.stringify(requested);
  // A link holds the lines of when it was made.
  // biome-ignore lint/correctness/useExhaustiveDependencies: other lines are what it waits for
  useEffect(() => setLink(null), [key]);
  if (requested.length === 0) return null;
  return (
    <div className="cart-link">
      {link ? (
        <LinkText link={link} />
      ) : (
        <Button
          variant="text-quiet"
          isBusy={call.isBusy}
          onClick={() => void call.run(async () => setLink(await createCartLink(requested)))}
        >
          Open this cart on another device
        </Button>
      )}
      {call.text && <FormError text={call.text} />}
    </div>
  );
}

function LinkText({ link: { url, expiresAt } }: { link: Link }) {
  const [copied, setCopied] = useState('');
  const field = useRef<HTMLInputElement>(null);
  const id = useId();
  const hours = Math.max(1, Math.round((Date.parse(expiresAt) - serverNow()) / HOUR_MS));
  // The button that made it is gone.
  useEffect(() => field.current?.focus(), []);

  async function copy() {
    const isCopied = await copyText(url);
    if (!isCopied) field.current?.focus();
    setCopied(isCopied ? 'Copied.' : 'Copy the selected link by hand.');
  }

  return (
    <>
      <label className="code-form__label" htmlFor={id}>
        Link to this cart
      </label>
      <div className="cart-link__row">
        <input
          className="field__input"
          id={id}
          readOnly
          value={url}
          ref={field}
          aria-describedby={`${id}-hint`}
          onFocus={(event) => event.currentTarget.select()}
        />
        <Button variant="quiet" onClick={() => void copy()}>
          Copy
        </Button>
      </div>
      <p className="cart-link__status" role="status">
        {copied}
      </p>
      <p className="hint" id={`${id}-hint`}>
        {`Open it on the other device and press “Add to cart” there. For ${hours} ${plural(hours, 'hour', 'hours')} it shows these items, and the coupon of this cart, to everyone who has it.`}
      </p>
    </>
  );
}
