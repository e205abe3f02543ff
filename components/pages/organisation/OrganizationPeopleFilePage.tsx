import type { PeopleFileProps } from '../../contracts/schema';
import { PeopleFile } from '../../organisation/people/PeopleFile';

export function OrganizationPeopleFilePage({ title, ...file }: PeopleFileProps) {
  return (
    <div className="area-page">
      <header className="area-page__head row">
        <div>
          <a className="area-page__back" href="/organization/members">
            All members
          </a>
          <h1>{title}</h1>
        </div>
      </header>
      <PeopleFile {...file} />
    </div>
  );
}
