import { NewItemForm } from '../../admin/items/NewItemForm';
import type { NewItemProps } from '../../contracts/schema';

export function AdminItemNewPage({ title, backHref, categories, kinds }: NewItemProps) {
  return (
    <div className="area-page">
      <header className="area-page__head row">
        <div>
          <a className="area-page__back" href={backHref}>
            All items
          </a>
          <h1>{title}</h1>
        </div>
      </header>
      <NewItemForm categories={categories} kinds={kinds} />
    </div>
  );
}
