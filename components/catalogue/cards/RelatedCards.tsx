import type { ReactNode } from 'react';
import type { Card } from '../../contracts/schema';
import type { Format } from '../../format/format';
import { SectionHeading } from '../../ui/SectionHeading';
import { Skeletons } from '../../ui/Skeletons';
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
    <div className="related" aria-busy="true">
      <p className="sr-only">Loading related titles</p>
      <div className="skeleton skeleton--title" />
      <div className="card-grid stack card-grid--4 card-grid--row">
        <Skeletons count={4} className="skeleton--card" />
      </div>
    </div>
  );
}
