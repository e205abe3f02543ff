import type { Crumb } from '../contracts/schema';

type BreadcrumbsProps = { crumbs: Crumb[] };

/** The last crumb is the current page. */
export function Breadcrumbs({ crumbs }: BreadcrumbsProps) {
  if (crumbs.length === 0) return null;
  return (
    <nav className="crumbs" aria-label="Breadcrumbs">
      <ol className="crumbs__list row">
        {crumbs.map((crumb, index) => (
          <li className="crumbs__item" key={crumb.href}>
            <a
              className="crumbs__link"
              href={crumb.href}
              rel={crumb.nofollow ? 'nofollow' : undefined}
              aria-current={index === crumbs.length - 1 ? 'page' : undefined}
            >
              {crumb.name}
            </a>
          </li>
        ))}
      </ol>
    </nav>
  );
}
