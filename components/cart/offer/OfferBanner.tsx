import { useState } from 'react';
import { useOffer } from '../api/offer';
import { Icon } from '../ui/Icon';
import { needed } from './intent';
import { PartnerLogo } from './PartnerLogo';

const loadChanges = () => import('./cartChanges');

/**
 * The strip above the front page. The server draws what is true for everyone; the special offer takes its place after
 * hydration, in a strip of the same height.
 */
export function OfferStrip() {
  const code = useOffer();
  return (
    <aside className="offer-strip" aria-label="News">
      <PartnerLogo />
      {code ? (
        <SpecialOffer code={code} />
      ) : (
        <p className="offer-strip__text">
          <span className="offer-strip__words">
            Every course shows its whole syllabus. <a href="/shop">Find yours</a>
          </span>
        </p>
      )}
    </aside>
  );
}

function SpecialOffer({ code }: { code: string }) {
  const [state, setState] = useState<'open' | 'used' | 'refused'>('open');
  const [problem, setProblem] = useState('');

  async function use() {
    const { changeCoupon } = await needed(loadChanges());
    const found = await changeCoupon(code);
    setProblem(found);
    setState(found ? 'refused' : 'used');
  }

  return (
    <p className="offer-strip__text" aria-live="polite">
      <Icon name="tag" />
      <span className="offer-strip__words">
        {state === 'used' ? 'On your cart: ' : 'Special offer: '}
        <strong className="offer-strip__code">{code}</strong>
        {state === 'refused' && <span className="offer-strip__problem">{` ${problem}`}</span>}
      </span>
      {state === 'open' && (
        <button type="button" className="offer-strip__use" onClick={() => void use()}>
          Use it
        </button>
      )}
      {state === 'used' && (
        <a className="offer-strip__use" href="/cart">
          See cart
        </a>
      )}
    </p>
  );
}
