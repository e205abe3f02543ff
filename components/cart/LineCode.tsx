import type { CartLine } from '../model/cartLine';
import { isServed } from '../model/servedPages';
import { useRestoredFocus } from '../ui/useRestoredFocus';
import { changeLineCode } from './actions/cartChanges';
import { notifyRefusal } from './actions/notifyRefusal';
import { CouponCodeForm } from './CouponCodeForm';

type LineCodeProps = { line: CartLine; code: string | null; isSignedIn: boolean };

/** A code for this line alone. Guests see that they need to sign in. */
export function LineCode({ line, code, isSignedIn }: LineCodeProps) {
  // The button that removed the code is gone with it.
  const question = useRestoredFocus<HTMLElement>(code ? 1 : 0);
  if (code)
    return (
      <p className="code-chip">
        <span>
          Code <strong>{code}</strong>
        </span>
        <button
          type="button"
          className="code-chip__remove"
          aria-label={`Remove code ${code}: ${line.name}`}
          onClick={() => void notifyRefusal(changeLineCode(line, ''))}
        >
          Remove
        </button>
      </p>
    );
  return (
    <details className="line-code">
      <summary className="line-code__question" ref={question}>
        Use a code<span className="sr-only">{` for ${line.name}`}</span>
      </summary>
      {isSignedIn ? (
        <CouponCodeForm label={`Code for ${line.name}`} onSubmit={(typed) => changeLineCode(line, typed)} />
      ) : (
        <p className="line-code__invitation">
          {isServed('login') ? <a href="/login">Sign in</a> : 'Sign in'} to use a code on a single line. A
          coupon for the whole cart works without an account.
        </p>
      )}
    </details>
  );
}
