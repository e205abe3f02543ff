import type { ReactNode } from 'react';
import { isServed } from '../api/servedPages';
import { Icon } from '../ui/Icon';
import { CartButton } from './CartButton';
import { Inviter } from './Inviter';

/** The visitor's corner of the header. The server draws it the same for everyone. */
export function VisitorsOwn({ account }: { account?: ReactNode }) {
  return (
    <>
      <Inviter />
      {isServed('wishlist') && (
        <a className="own-link" href="/wishlist">
          <Icon name="heart" />
          <span className="own-link__word">Wishlist</span>
        </a>
      )}
      {account}
      <CartButton />
    </>
  );
}
