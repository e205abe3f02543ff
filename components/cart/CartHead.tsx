import type { ReactNode } from 'react';
import { type Format, plural } from '../format/format';
import { useRestoredFocus } from '../ui/useRestoredFocus';

type CartHeadProps = {
  title: string;
  count: number;
  /** Rows of the list: when one is removed, the heading takes its focus. */
  entries: number;
  format: Format;
  children?: ReactNode;
};

/** The head of the cart and of the wishlist. */
export function CartHead({ title, count, entries, format, children }: CartHeadProps) {
  const heading = useRestoredFocus<HTMLHeadingElement>(entries);
  return (
    <div className="cart-page__head row">
      <div>
        <h1 className="cart-page__title" ref={heading} tabIndex={-1}>
          {title}
        </h1>
        {count > 0 && (
          <p className="cart-page__count">{`${format.count(count)} ${plural(count, 'item', 'items')}`}</p>
        )}
      </div>
      {count > 0 && children}
    </div>
  );
}
