import type { ShopProps } from '../../contracts/schema';

type SortMenuProps = { options: ShopProps['sort'] };

export function SortMenu({ options }: SortMenuProps) {
  const selected = options.find((option) => option.selected);
  return (
    // The key closes the menu after client navigation: another choice is another element.
    <details className="sort" key={selected?.value}>
      <summary className="sort__label">
        Sort by <strong>{selected?.label}</strong>
      </summary>
      <ul className="sort__options">
        {options.map((option) => (
          <li key={option.value}>
            <a
              className="sort__option"
              href={option.href}
              rel="nofollow"
              aria-current={option.selected ? 'true' : undefined}
            >
              {option.label}
            </a>
          </li>
        ))}
      </ul>
    </details>
  );
}
