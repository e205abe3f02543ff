import { NewCourseForm } from '../../admin/courses/NewCourseForm';
import type { NewCourseProps } from '../../contracts/schema';

export function AdminCourseNewPage({ title, backHref, categories, name }: NewCourseProps) {
  return (
    <div className="area-page">
      <header className="area-page__head row">
        <div>
          <a className="area-page__back" href={backHref}>
            All courses
          </a>
          <h1>{title}</h1>
        </div>
      </header>
      <NewCourseForm categories={categories} name={name} />
    </div>
  );
}
