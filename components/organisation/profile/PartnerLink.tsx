import { type ComponentType, useEffect, useState } from 'react';
import { copyText } from '../../browser/navigation';
import type { OrganisationProfileProps } from '../../contracts/schema';
import { Button } from '../../ui/controls/Button';
import { loadOrReload } from '../../ui/loading/lazyModule';
import type { QRCodeProps } from '../../ui/qr/QRCode';

type PartnerLinkProps = Pick<OrganisationProfileProps, 'partnerLink' | 'name' | 'logo' | 'isShopRestricted'>;

/** The link for people outside, as text and QR code, with what they will see. */
export function PartnerLink({ partnerLink, name, logo, isShopRestricted }: PartnerLinkProps) {
  const [Code, setCode] = useState<ComponentType<QRCodeProps> | null>(null);
  const [answer, setAnswer] = useState('');

  useEffect(() => {
    // The address beside it works without.
    loadOrReload(import('../../ui/qr/QRCode')).then(
      ({ QRCode }) => setCode(() => QRCode),
      () => undefined,
    );
  }, []);

  async function copy() {
    setAnswer((await copyText(partnerLink)) ? 'Copied.' : 'Copying was refused: select the link instead.');
  }

  return (
    <section className="area-box area-form" aria-labelledby="partner-title">
      <h2 className="heading-m" id="partner-title">
        Partner link
      </h2>
      <p className="muted">For people outside. It makes nobody a member, and shows who sent them.</p>
      <p className="partner-link__address">{partnerLink}</p>
      <div className="partner-link__code">
        {Code && <Code text={partnerLink} label={`QR code of ${partnerLink}`} />}
      </div>
      <div>
        <Button variant="quiet" onClick={() => void copy()}>
          Copy the link
        </Button>
      </div>
      <p className="hint" role="status">
        {answer}
      </p>
      <h3 className="heading-s">What they see</h3>
      <div className="partner-link__preview row">
        {logo ? <img src={logo} alt={name} width={112} height={32} /> : <strong>{name}</strong>}
        <span>{isShopRestricted ? 'The courses of your contracts alone' : 'The whole shop'}</span>
        <a href={partnerLink} target="_blank" rel="noreferrer">
          Open it in a new tab
        </a>
      </div>
    </section>
  );
}
