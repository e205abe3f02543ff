import tableStyles from '../../../static/css/table.css?text';
import { FactList } from '../../admin/FactList';
import { ShortTable } from '../../admin/ShortTable';
import { useSite } from '../../api/site';
import type { OrganisationHomeProps } from '../../contracts/schema';
import { tableFormatOf } from '../../ui/table/TableCell';
import { useStyles } from '../../ui/useStyles';

export function OrganizationHomePage({ heading, facts, contracts }: OrganisationHomeProps) {
  // Badges of the contracts.
  useStyles(tableStyles);
  const format = tableFormatOf(useSite());
  return (
    <div className="area-page">
      <h1>{heading}</h1>
      <FactList facts={facts} format={format} />
      <ShortTable table={contracts} format={format} />
    </div>
  );
}
