import { useSite } from '../../api/site';
import { cardAction } from '../../cart/buttons/AddButton';
import { GiftButton } from '../../cart/buttons/GiftButton';
import { ItemCounter } from '../../cart/buttons/ItemCounter';
import { WideAddButton } from '../../cart/buttons/WideAddButton';
import { useCounter } from '../../cart/store/panelStore';
import { RelatedCards, RelatedSkeleton } from '../../catalogue/cards/RelatedCards';
import { ItemArticle } from '../../catalogue/item/ItemArticle';
import type { Card, ItemProps } from '../../contracts/schema';
import { formatOf } from '../../format/format';
import { hasQuantity } from '../../model/cartLine';
import { Deferred } from '../../ui/loading/Deferred';
import { WishlistButton } from '../../wishlist/WishlistButton';

type ShopDetailsPageProps = ItemProps & { related: Card[] | Promise<Card[]> };

export function ShopDetailsPage({ related, ...item }: ShopDetailsPageProps) {
  const format = formatOf(useSite());
  return (
    <>
      <ItemArticle item={item} format={format} actions={<Actions item={item} />} />
      <div className="page-section">
        <Deferred value={related} fallback={<RelatedSkeleton />}>
          {(value) => (
            <RelatedCards title="Goes well with" cards={value} format={format} action={cardAction} />
          )}
        </Deferred>
      </div>
    </>
  );
}

function Actions({ item }: { item: ItemProps }) {
  const quantity = useCounter();
  const product = { ...item, kind: 'item' as const };
  const isSoldOut = item.stock !== null && item.stock <= 0;
  return (
    <>
      {!isSoldOut && (
        <div className="item-box__buy row">
          {hasQuantity(product) && <ItemCounter id={item.id} name={item.name} stock={item.stock} />}
          <WideAddButton product={product} quantity={quantity} />
        </div>
      )}
      <WishlistButton product={product} />
      {!hasQuantity(product) && <GiftButton product={product} />}
    </>
  );
}
