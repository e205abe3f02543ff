import { ActionView } from '../../admin/actions/ActionView';
import type { OrganisationProfileProps } from '../../contracts/schema';
import { LogoForm } from '../../organisation/profile/LogoForm';
import { PartnerLink } from '../../organisation/profile/PartnerLink';

export function OrganizationProfilePage(props: OrganisationProfileProps) {
  return (
    <ActionView
      {...props}
      tabs={
        <div className="area-forms">
          <LogoForm logo={props.logo} name={props.name} />
          <PartnerLink {...props} />
        </div>
      }
    />
  );
}
