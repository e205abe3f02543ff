import type { ReactNode } from 'react';
import tabsStyles from '../../../static/css/tabs.css?text';
import type { OrganisationPeopleProps } from '../../contracts/schema';
import { Tabs } from '../../ui/controls/Tabs';
import { useStyles } from '../../ui/useStyles';
import { AreaHead } from '../AreaHead';

type OrganisationFrameProps = Pick<OrganisationPeopleProps, 'heading' | 'backHref' | 'backText' | 'tabs'> & {
  children: ReactNode;
};

/** The head and the tabs of an organisation, around what one of its tabs shows. */
export function OrganisationFrame({ heading, backHref, backText, tabs, children }: OrganisationFrameProps) {
  useStyles(tabsStyles);
  return (
    <div className="area-page">
      <AreaHead heading={heading} backHref={backHref} backText={backText} />
      <Tabs label="Parts of the organisation" tabs={tabs} />
      {children}
    </div>
  );
}
