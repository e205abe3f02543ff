import { OrganisationFrame } from '../../../admin/organisations/OrganisationFrame';
import { useSite } from '../../../api/site';
import type { OrganisationPeopleProps } from '../../../contracts/schema';
import { DataTable } from '../../../ui/table/DataTable';

export function AdminOrganisationMembersPage({ table, ...frame }: OrganisationPeopleProps) {
  const site = useSite();
  return (
    <OrganisationFrame {...frame}>
      <DataTable table={table} site={site} />
    </OrganisationFrame>
  );
}
