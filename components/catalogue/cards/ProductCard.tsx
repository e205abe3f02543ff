import type { ReactNode } from 'react';
import type { Card } from '../../contracts/schema';
import { barClass, type Format, ITEM_KINDS, LEVELS, plural, saving } from '../../format/format';

type ProductCardProps = {
  card: Card;
  format: Format;
  heading: 'h2' | 'h3';
  /** In view when the page opens: fetched at once instead of when scrolled to. */
  eager: boolean;
  /** A button beside the price. */
  action?: ReactNode;
};

/** Flat on purpose: a list holds 24 of these, and every element and component costs server time. */
export function ProductCard({ card, format, heading: Heading, eager, action }: ProductCardProps) {
  const { picture, rating, price, listPrice, lowestBefore } = card;
  const off = saving(listPrice, price);
  return (
    <li className="card">
      <img
        className="card__picture"
        src={picture.src}
        width={picture.width}
        height={picture.height}
        alt={picture.alt}
        loading={eager ? undefined : 'lazy'}
        fetchPriority={eager ? 'high' : undefined}
      />
      <p className="card__category">{card.category}</p>
      <Heading className="card__name heading-s">
        <a className="card__link" href={card.href}>
          {card.name}
        </a>
      </Heading>
      <p className="card__subtitle hint">{card.subtitle}</p>
      <p className="card__meta">{metaOf(card, format)}</p>
      {rating !== null && (
        <p className="card__rating hint">
          <span
            className={`stars ${barClass(rating / 5)}`}
            role="img"
            aria-label={`Rated ${format.rating(rating)} out of 5`}
          />
          {` ${format.rating(rating)} (${format.count(card.ratingCount)})`}
        </p>
      )}
      <p className="card__price">
        <strong className="card__amount">{format.price(price)}</strong>
        {off > 0 && (
          <s className="price__was">
            <span className="sr-only">Regular price </span>
            {format.money(listPrice)}
          </s>
        )}
        {off > 0 && <span className="badge">{`Save ${format.percent(String(off))}`}</span>}
        {off > 0 && lowestBefore !== undefined && (
          <span className="price__lowest">{`Lowest in 30 days: ${format.money(lowestBefore)}`}</span>
        )}
        {action}
      </p>
    </li>
  );
}

function metaOf(card: Card, format: Format): string {
  const parts: string[] = [];
  if (card.itemKind) parts.push(ITEM_KINDS[card.itemKind]);
  if (card.level) parts.push(LEVELS[card.level]);
  if (card.durationMin) parts.push(format.duration(card.durationMin));
  if (card.lessonCount) {
    parts.push(`${format.count(card.lessonCount)}\u00a0${plural(card.lessonCount, 'lesson', 'lessons')}`);
  }
  if (card.language) parts.push(card.language);
  return parts.join(' · ');
}
