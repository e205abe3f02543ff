import { useEffect, useState } from 'react';
import { referrerName } from '../api/referrer';

/** "Invited by Ada L." after a student's link. It uses space that is always reserved. */
export function Referrer() {
  const [name, setName] = useState('');
  useEffect(() => {
    void referrerName().then(setName);
  }, []);
  return name ? <p className="referrer">{`Invited by ${name}`}</p> : null;
}
