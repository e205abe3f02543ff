import type { OrganisationProfileProps } from '../../contracts/schema';
import { SharedLink } from '../../ui/qr/SharedLink';

type PartnerLinkProps = Pick<OrganisationProfileProps, 'partnerLink' | 'name' | 'logo' | 'isShopRestricted'>;

/** The link for people outside, with what they will see. */
export function PartnerLink({ partnerLink, name, logo, isShopRestricted }: PartnerLinkProps) {
  return (
    <section className="area-box area-form" aria-labelledby="partner-title">
      <h2 className="heading-m" id="partner-title">
        Partner link
      </h2>
      <p className="muted">For people outside. It makes nobody a member, and shows who sent them.</p>
      <SharedLink link={partnerLink} />
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
