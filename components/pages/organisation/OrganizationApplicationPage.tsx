import { ActionForm } from '../../admin/actions/ActionForm';
import { FactList } from '../../admin/FactList';
import { useSite } from '../../api/site';
import type { OrganisationApplicationProps } from '../../contracts/schema';
import { ApplicationView } from '../../organisation/ApplicationView';
import { tableFormatOf } from '../../ui/table/TableCell';

export function OrganizationApplicationPage(props: OrganisationApplicationProps) {
  const format = tableFormatOf(useSite());
  return (
    <ApplicationView
      {...props}
      answer={props.actions.map((action) => <ActionForm key={action.call} action={action} />)}
      factList={<FactList facts={props.facts} format={format} />}
    />
  );
}
