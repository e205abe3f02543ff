import type { HomeProps } from '../api/pageProps';
import { type Format, plural } from '../ui/format';
import { Icon } from '../ui/Icon';

type CategoryTilesProps = { categories: HomeProps['categories']; format: Format };

export function CategoryTiles({ categories, format }: CategoryTilesProps) {
  return (
    <ul className="tiles">
      {categories.map((category) => (
        <li className="tile" key={category.slug}>
          <h3 className="tile__name">
            <a className="tile__link" href={category.href}>
              {category.name}
            </a>
          </h3>
          <p className="tile__text">{category.description}</p>
          <p className="tile__count">
            {`${format.count(category.count)} ${plural(category.count, 'title', 'titles')}`}
            <Icon name="arrow" />
          </p>
        </li>
      ))}
    </ul>
  );
}
