import { useEffect, useState } from 'react';
import { inviterName } from '../api/inviter';

/** "Invited by Ada L." for who came by a student's link. It stands in space that nothing else uses. */
export function Inviter() {
  const [name, setName] = useState('');
  useEffect(() => {
    void inviterName().then(setName);
  }, []);
  return name ? <p className="inviter">{`Invited by ${name}`}</p> : null;
}
