import { useEffect, useState } from 'react';
import { useOffer } from '../../api/offer';
import { partnerLogo } from '../../browser/storage/partnerLogo';
import { Icon } from '../../ui/Icon';
import { loadOrReload } from '../../ui/loading/lazyModule';

const loadChanges = () => import('../actions/cartChanges');

/**
 * The banner above the home page. The server renders a text for everyone; after hydration the special offer replaces
 * it, at the same height.
 */
export function OfferBanner() {
  const code = useOffer();
  return (
    <aside className="offer-banner" aria-label="News">
      <PartnerLogo />
      {code ? (
        <SpecialOffer code={code} />
      ) : (
        <p className="offer-banner__text">
          <span className="offer-banner__words">
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

  async function applyOffer() {
    const { changeCoupon } = await loadOrReload(loadChanges());
    const refusal = await changeCoupon(code);
    setProblem(refusal);
    setState(refusal ? 'refused' : 'used');
  }

  return (
    <p className="offer-banner__text" aria-live="polite">
      <Icon name="tag" />
      <span className="offer-banner__words">
        {state === 'used' ? 'On your cart: ' : 'Special offer: '}
        <strong className="offer-banner__code">{code}</strong>
        {state === 'refused' && <span className="offer-banner__problem">{` ${problem}`}</span>}
      </span>
      {state === 'open' && (
        <button type="button" className="offer-banner__use" onClick={() => void applyOffer()}>
          Apply
        </button>
      )}
      {state === 'used' && (
        <a className="offer-banner__use" href="/cart">
          See cart
        </a>
      )}
    </p>
  );
}

/** Logo of the partner whose link led here. It appears after hydration and does not change the banner's height. */
function PartnerLogo() {
  const [logo, setLogo] = useState('');
  useEffect(() => setLogo(partnerLogo()), []);
  return logo ? <img className="partner-logo" src={logo} width={110} height={32} alt="Our partner" /> : null;
}
