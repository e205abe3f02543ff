import type { ReactNode } from 'react';
import type { ItemProps } from '../../contracts/schema';
import type { Format } from '../../format/format';
import { Breadcrumbs } from '../../ui/Breadcrumbs';
import { RichText } from '../../ui/RichText';
import { Gallery } from './Gallery';
import { ItemBox } from './ItemBox';

type ItemArticleProps = {
  item: ItemProps;
  format: Format;
  /** Below the price; null in a preview, which sells nothing. */
  actions: ReactNode;
};

/** All that the shop says of an item. */
export function ItemArticle({ item, format, actions }: ItemArticleProps) {
  return (
    <article className="item">
      <Breadcrumbs crumbs={item.crumbs} />
      <div className="item__columns stack">
        <Gallery pictures={item.pictures} />
        <ItemBox item={item} format={format} actions={actions} />
        {item.descriptionHtml && (
          <section className="item__text">
            <h2 className="course-section__title">Description</h2>
            <RichText html={item.descriptionHtml} className="prose" />
          </section>
        )}
      </div>
    </article>
  );
}
