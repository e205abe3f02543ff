import type { ShopProps } from '../../contracts/schema';
import { Icon } from '../../ui/Icon';

type ActiveFiltersProps = Pick<ShopProps, 'active' | 'clearHref'>;

export function ActiveFilters({ active, clearHref }: ActiveFiltersProps) {
  if (active.length === 0) return null;
  return (
    <section aria-label="Filters in force">
      <ul className="chips row">
        {active.map((filter) => (
          <li key={filter.href}>
            <a className="chip" href={filter.href} rel="nofollow">
              <span className="sr-only">Remove filter </span>
              {filter.label}
              <Icon name="close" />
            </a>
          </li>
        ))}
        <li>
          <a className="chips__clear" href={clearHref} rel="nofollow">
            Clear all
          </a>
        </li>
      </ul>
    </section>
  );
}
