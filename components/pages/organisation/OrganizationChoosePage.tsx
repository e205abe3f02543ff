import type { OrganisationChoiceProps } from '../../contracts/schema';
import { OrganisationChoices } from '../../organisation/OrganisationChoices';

export function OrganizationChoosePage({ title, ...choices }: OrganisationChoiceProps) {
  return (
    <div className="area-page">
      <h1>{title}</h1>
      <OrganisationChoices {...choices} />
    </div>
  );
}
