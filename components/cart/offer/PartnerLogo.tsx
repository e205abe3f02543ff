import { useEffect, useState } from 'react';
import { partnerLogo } from '../browser/cookies';

/** Who sent the visitor here. It comes after hydration, into a strip whose height it does not change. */
export function PartnerLogo() {
  const [logo, setLogo] = useState('');
  useEffect(() => setLogo(partnerLogo()), []);
  return logo ? <img className="partner-logo" src={logo} width={110} height={32} alt="Our partner" /> : null;
}
