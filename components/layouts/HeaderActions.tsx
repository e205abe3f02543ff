import type { ReactNode } from 'react';
import { CartButton } from '../cart/buttons/CartButton';
import { isServed } from '../model/servedPages';
import { Icon } from '../ui/Icon';
import { Referrer } from './Referrer';

/** The visitor's links in the header. The server renders them the same for everyone. */
export function HeaderActions({ account }: { account?: ReactNode }) {
  return (
    <>
      <Referrer />
      {isServed('wishlist') && (
        <a className="header-action" href="/wishlist">
          <Icon name="heart" />
          <span className="header-action__word">Wishlist</span>
        </a>
      )}
      {account}
      <CartButton />
    </>
  );
}
