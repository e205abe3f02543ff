import type { ReactNode } from 'react';
import type { Card } from '../../contracts/schema';
import type { Format } from '../../format/format';
import { Placeholder, Skeleton } from '../../ui/loading/Skeleton';
import { SectionHeading } from '../../ui/SectionHeading';
import { CardGrid } from './CardGrid';

type RelatedCardsProps = {
  title: string;
  cards: Card[];
  format: Format;
  action?: (card: Card) => ReactNode;
};

export function RelatedCards({ title, cards, format, action }: RelatedCardsProps) {
  if (cards.length === 0) return null;
  return (
    <section className="related" aria-label={title}>
      <SectionHeading title={title} link={{ href: '/shop', text: 'Full catalogue' }} />
      <CardGrid cards={cards.slice(0, 4)} format={format} {...(action ? { action } : {})} />
    </section>
  );
}

/** As high as the cards that follow, so that nothing moves when they arrive. */
export function RelatedSkeleton() {
  return (
    <Skeleton label="Loading related titles" className="related">
      <Placeholder shape="title" />
      <div className="card-grid stack card-grid--4 card-grid--row">
        <Placeholder shape="card" count={4} />
      </div>
    </Skeleton>
  );
}
