import type { ReactNode } from 'react';
import type { Card } from '../api/pageProps';
import type { Format } from '../ui/format';
import { SectionHead } from '../ui/SectionHead';
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
      <SectionHead title={title} link={{ href: '/shop', text: 'Full catalogue' }} />
      <CardGrid cards={cards.slice(0, 4)} format={format} {...(action ? { action } : {})} />
    </section>
  );
}

const PLACES = [1, 2, 3, 4];

/** As high as the cards that will follow, so that nothing moves when they come. */
export function RelatedSkeleton() {
  return (
    <div className="related" aria-busy="true">
      <p className="sr-only">Loading related titles</p>
      <div className="skeleton skeleton--title" />
      <div className="card-grid card-grid--4 card-grid--row">
        {PLACES.map((place) => (
          <div key={place} className="skeleton skeleton--card" />
        ))}
      </div>
    </div>
  );
}
