import type { ReactNode } from 'react';
import type { Card } from '../api/pageProps';
import type { Format } from '../ui/format';
import { ProductCard } from './ProductCard';

type CardGridProps = {
  cards: Card[];
  format: Format;
  heading?: 'h2' | 'h3';
  /** How many cards are in view when the page opens. */
  eager?: number;
  /** A list goes on below itself; a few picked cards stand in a row that narrow screens swipe. */
  isList?: boolean;
  /** What each card offers to do. */
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
  return (
    <ul className={`card-grid card-grid--${columns}${isList ? '' : ' card-grid--row'}`}>
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
}
