import type { CategoryRef } from '../../contracts/schema';

type NoResultsProps = { clearHref: string; categories: CategoryRef[] };

export function NoResults({ clearHref, categories }: NoResultsProps) {
  return (
    <div className="empty">
      <img
        className="empty__picture"
        src="/static/images/empty.svg"
        width={480}
        height={320}
        alt=""
        decoding="async"
      />
      <h2>Nothing matches all of these filters</h2>
      <p className="empty__text">
        Remove one of them, or start again from the whole catalogue. These subjects are never empty:
      </p>
      <ul className="empty__links row">
        {categories.map((category) => (
          <li key={category.slug}>
            <a className="chip" href={category.href} rel={category.nofollow ? 'nofollow' : undefined}>
              {category.name}
            </a>
          </li>
        ))}
      </ul>
      <a className="button" href={clearHref}>
        Clear all filters
      </a>
    </div>
  );
}
