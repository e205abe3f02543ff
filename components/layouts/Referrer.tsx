import { useEffect, useState } from 'react';
import { studentNumber } from '../browser/storage/cookies';
import { loadOrReload } from '../ui/loading/lazyModule';

/** "Invited by Ada L." after a student's link. It uses space that is always reserved. */
export function Referrer() {
  const [name, setName] = useState('');
  useEffect(() => {
    // Few visitors come through a student's link: the others need no code for it.
    if (!studentNumber()) return;
    void loadOrReload(import('../api/referrer'))
      .then(({ referrerName }) => referrerName())
      .then(setName);
  }, []);
  return name ? <p className="referrer">{`Invited by ${name}`}</p> : null;
}
