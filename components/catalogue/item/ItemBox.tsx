import type { ReactNode } from 'react';
import type { ItemProps } from '../../contracts/schema';
import { type Format, ITEM_KINDS } from '../../format/format';
import { FactList } from '../cards/FactList';
import { Price } from '../cards/Price';
import { Stock } from './Stock';

type ItemBoxProps = {
  item: ItemProps;
  format: Format;
  /** The button that adds it to the cart. */
  actions?: ReactNode;
};

export function ItemBox({ item, format, actions }: ItemBoxProps) {
  return (
    <div className="item-box">
      <h1 dir="auto" className="item-box__title">
        {item.name}
      </h1>
      {item.subtitle && <p className="item-box__subtitle">{item.subtitle}</p>}
      <Price
        listPrice={item.listPrice}
        price={item.price}
        lowestBefore={item.lowestBefore}
        saleUntil={item.saleUntil}
        format={format}
      />
      <Stock stock={item.stock} format={format} />
      {actions && <div className="item-box__actions">{actions}</div>}
      <FactList
        facts={[
          { icon: 'tag', label: 'Kind', value: ITEM_KINDS[item.itemKind] },
          ...(item.delivery ? [{ icon: 'box' as const, label: 'Delivery', value: item.delivery }] : []),
          { icon: 'info', label: 'Item number', value: item.sku },
        ]}
      />
      <p className="item-box__help">
        Something to ask before you decide?{' '}
        <a href={`/contact?about=${encodeURIComponent(item.slug)}`} rel="nofollow">
          Write to us
        </a>
        , or read <a href="/refund-grievance-policy">how refunds work</a>.
      </p>
    </div>
  );
}
