import type { Card, ItemProps } from '../api/pageProps';
import { useSite } from '../api/site';
import { AddButton, cardAction, productOf } from '../cart/AddButton';
import { ItemCounter } from '../cart/ItemCounter';
import { useCounter } from '../cart/panelStore';
import { WishButton } from '../cart/WishButton';
import { Gallery } from '../catalogue/Gallery';
import { ItemBox } from '../catalogue/ItemBox';
import { RelatedCards, RelatedSkeleton } from '../catalogue/RelatedCards';
import { Breadcrumbs } from '../ui/Breadcrumbs';
import { Deferred } from '../ui/Deferred';
import { formatOf } from '../ui/format';
import { RichText } from '../ui/RichText';

type ShopDetailsPageProps = ItemProps & { related: Card[] | Promise<Card[]> };

export function ShopDetailsPage({ related, ...item }: ShopDetailsPageProps) {
  const format = formatOf(useSite());
  return (
    <>
      <article className="item">
        <Breadcrumbs crumbs={item.crumbs} />
        <div className="item__columns">
          <Gallery pictures={item.pictures} />
          <ItemBox item={item} format={format} actions={<Actions item={item} />} />
          {item.descriptionHtml && (
            <section className="item__text">
              <h2 className="course-section__title">Description</h2>
              <RichText html={item.descriptionHtml} className="prose" />
            </section>
          )}
        </div>
      </article>
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
  const product = productOf({ ...item, kind: 'item' });
  const isSoldOut = item.stock !== null && item.stock <= 0;
  return (
    <>
      {!isSoldOut && (
        <div className="item-box__buy">
          <ItemCounter name={item.name} stock={item.stock} />
          <AddButton product={product} quantity={quantity} look="wide" />
        </div>
      )}
      <WishButton product={product} />
    </>
  );
}
