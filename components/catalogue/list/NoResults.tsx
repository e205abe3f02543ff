import type { CategoryRef } from '../../contracts/schema';
import { EmptyState } from '../../ui/EmptyState';

type NoResultsProps = { clearHref: string; categories: CategoryRef[] };

export function NoResults({ clearHref, categories }: NoResultsProps) {
  // Only a shop that sells nothing yet has no category with products.
  if (categories.length === 0) {
    return <EmptyState title="Nothing here yet" text="The first courses are on their way. Come back soon." />;
  }
  return (
    <EmptyState
      title="Nothing matches all of these filters"
      text="Remove one of them, or start again from the whole catalogue. These subjects are never empty:"
      links={[{ href: clearHref, text: 'Clear all filters' }]}
    >
      <ul className="empty-state__links row">
        {categories.map((category) => (
          <li key={category.slug}>
            <a className="chip" href={category.href} rel={category.nofollow ? 'nofollow' : undefined}>
              {category.name}
            </a>
          </li>
        ))}
      </ul>
    </EmptyState>
  );
}
