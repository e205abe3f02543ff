import type { ReactNode } from 'react';
import { SearchBox } from '../catalogue/search/SearchBox';
import { AccountButton } from '../identity/header/AccountButton';
import { HeaderActions } from './HeaderActions';
import { SiteFooter } from './SiteFooter';
import { SiteHeader } from './SiteHeader';
import { SkipLink } from './SkipLink';

type DefaultLayoutProps = {
  children: ReactNode;
  /** In the shop the categories are listed below the main links. */
  section?: 'shop';
};

export function DefaultLayout({ children, ...section }: DefaultLayoutProps) {
  return (
    <>
      <SkipLink />
      <SiteHeader
        {...section}
        search={<SearchBox place="header" />}
        actions={<HeaderActions account={<AccountButton />} />}
      />
      <main id="main" className="site-main" tabIndex={-1}>
        {children}
      </main>
      <SiteFooter />
    </>
  );
}

/** The layout of the shop. */
export function LayoutOne({ children }: { children: ReactNode }) {
  return <DefaultLayout section="shop">{children}</DefaultLayout>;
}
