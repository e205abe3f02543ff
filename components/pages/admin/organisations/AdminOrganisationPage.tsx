import tabsStyles from '../../../../static/css/tabs.css?text';
import { ActionView } from '../../../admin/actions/ActionView';
import type { AdminOrganisationProps } from '../../../contracts/schema';
import { Tabs } from '../../../ui/controls/Tabs';
import { useStyles } from '../../../ui/useStyles';

export function AdminOrganisationPage({ tabs, isDecided, contractHref, ...page }: AdminOrganisationProps) {
  useStyles(tabsStyles);
  return (
    <ActionView
      {...page}
      tabs={<Tabs label="Parts of the organisation" tabs={tabs} />}
      // An application is read before it is decided; what is done with a member of the shop is not.
      isFolded={isDecided}
      beside={
        contractHref && (
          <a className="button button--quiet" href={contractHref}>
            Make a contract
          </a>
        )
      }
    />
  );
}
