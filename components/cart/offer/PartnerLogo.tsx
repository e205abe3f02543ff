import { useEffect, useState } from 'react';
import { partnerLogo } from '../../browser/storage/partnerLogo';

/** Logo of the partner whose link led here. It appears after hydration and does not change the banner's height. */
export function PartnerLogo() {
  const [logo, setLogo] = useState('');
  useEffect(() => setLogo(partnerLogo()), []);
  return logo ? <img className="partner-logo" src={logo} width={110} height={32} alt="Our partner" /> : null;
}
