import { type ReactNode, useEffect, useState } from 'react';
import { studentNumber } from '../browser/storage/cookies';
import { CartButton } from '../cart/buttons/CartButton';
import { isServed } from '../model/servedPages';
import { Icon } from '../ui/Icon';
import { loadOrReload } from '../ui/loading/lazyModule';

/** The visitor's links in the header. The server renders them the same for everyone. */
export function HeaderActions({ account }: { account?: ReactNode }) {
  return (
    <>
      <Referrer />
      {isServed('wishlist') && (
        <a className="header-action" href="/wishlist" aria-label="Wishlist" title="Wishlist">
          <Icon name="heart" />
        </a>
      )}
      {account}
      <CartButton />
    </>
  );
}

/** "Invited by Ada L." after a student's link. It uses space that is always reserved. */
function Referrer() {
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
