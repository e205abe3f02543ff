import type { ReactNode } from 'react';
import type { Card } from '../../contracts/schema';
import type { Format } from '../../format/format';
import { AddForm } from '../../forms/AddForm';
import { ProductCard } from './ProductCard';

type CardGridProps = {
  cards: Card[];
  format: Format;
  heading?: 'h2' | 'h3';
  /** The number of cards in view when the page opens. */
  eager?: number;
  /** A list continues below; a few selected cards form a row that narrow screens scroll sideways. */
  isList?: boolean;
  /** The button of each card, which adds it to the cart. */
  action?: (card: Card) => ReactNode;
};

export function CardGrid({
  cards,
  format,
  heading = 'h3',
  eager = 0,
  isList = false,
  action,
}: CardGridProps) {
  const columns = isList || (cards.length % 3 === 0 && cards.length % 4 !== 0) ? 3 : 4;
  const list = (
    <ul className={`card-grid stack card-grid--${columns}${isList ? '' : ' card-grid--row'}`}>
      {cards.map((card, index) => (
        <ProductCard
          key={card.id}
          card={card}
          format={format}
          heading={heading}
          eager={index < eager}
          action={action?.(card)}
        />
      ))}
    </ul>
  );
  return action ? <AddForm>{list}</AddForm> : list;
}
