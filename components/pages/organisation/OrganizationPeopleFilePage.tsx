import { AreaHead } from '../../admin/AreaHead';
import type { PeopleFileProps } from '../../contracts/schema';
import { PeopleFile } from '../../organisation/people/PeopleFile';

export function OrganizationPeopleFilePage({ title, ...file }: PeopleFileProps) {
  return (
    <div className="area-page">
      <AreaHead heading={title} backHref="/organization/members" backText="All members" />
      <PeopleFile {...file} />
    </div>
  );
}
