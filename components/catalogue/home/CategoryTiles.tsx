import type { HomeProps } from '../../contracts/schema';
import { type Format, plural } from '../../format/format';
import { Icon, type IconName } from '../../ui/Icon';

type CategoryTilesProps = { categories: HomeProps['categories']; format: Format };

/** Icons of known categories; all others have the book. */
const ICONS: Record<string, IconName> = {
  accounting: 'ledger',
  tax: 'receipt',
  ethics: 'scales',
  data: 'chart',
  leadership: 'flag',
  languages: 'speech',
  finance: 'trend',
  technology: 'chip',
};

export function CategoryTiles({ categories, format }: CategoryTilesProps) {
  return (
    <ul className="tiles stack">
      {categories.map((category) => (
        <li className="tile" key={category.slug}>
          {category.picture ? (
            <img className="tile__picture" {...category.picture} alt={category.picture.alt} loading="lazy" />
          ) : (
            <span className="tile__sign">
              <Icon name={ICONS[category.slug] ?? 'book'} />
            </span>
          )}
          <h3>
            <a className="tile__link" href={category.href} rel={category.nofollow ? 'nofollow' : undefined}>
              {category.name}
            </a>
          </h3>
          <p className="tile__text hint">{category.description}</p>
          <p className="tile__count">
            {`${format.count(category.count)} ${plural(category.count, 'title', 'titles')}`}
            <Icon name="arrow" />
          </p>
        </li>
      ))}
    </ul>
  );
}
