import type { ReactNode } from 'react';
import tabsStyles from '../../../static/css/tabs.css?text';
import type { OrganisationPeopleProps } from '../../contracts/schema';
import { Tabs } from '../../ui/controls/Tabs';
import { useStyles } from '../../ui/useStyles';

type OrganisationFrameProps = Pick<OrganisationPeopleProps, 'heading' | 'backHref' | 'backText' | 'tabs'> & {
  children: ReactNode;
};

/** The head and the tabs of an organisation, around what one of its tabs shows. */
export function OrganisationFrame({ heading, backHref, backText, tabs, children }: OrganisationFrameProps) {
  useStyles(tabsStyles);
  return (
    <div className="area-page">
      <header className="area-page__head row">
        <div>
          <a className="area-page__back" href={backHref}>
            {backText}
          </a>
          <h1>{heading}</h1>
        </div>
      </header>
      <Tabs label="Parts of the organisation" tabs={tabs} />
      {children}
    </div>
  );
}
