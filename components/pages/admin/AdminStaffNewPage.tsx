import { NewStaffForm } from '../../admin/staff/NewStaffForm';
import type { NewStaffProps } from '../../contracts/schema';

export function AdminStaffNewPage({ title, backHref, roles }: NewStaffProps) {
  return (
    <div className="area-page">
      <header className="area-page__head row">
        <div>
          <a className="area-page__back" href={backHref}>
            All staff
          </a>
          <h1>{title}</h1>
        </div>
      </header>
      <NewStaffForm roles={roles} />
    </div>
  );
}
