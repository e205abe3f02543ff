import type { ReactNode } from 'react';
import { VisitorsOwn } from '../cart/VisitorsOwn';
import { SearchBox } from '../catalogue/SearchBox';
import { AccountButton } from '../identity/AccountButton';
import { SiteFooter } from '../ui/SiteFooter';
import { SiteHeader } from '../ui/SiteHeader';
import { SkipLink } from '../ui/SkipLink';

type DefaultLayoutProps = { children: ReactNode };

export function DefaultLayout({ children }: DefaultLayoutProps) {
  return (
    <>
      <SkipLink />
      <SiteHeader search={<SearchBox place="header" />} own={<VisitorsOwn account={<AccountButton />} />} />
      <main id="main" className="site-main" tabIndex={-1}>
        {children}
      </main>
      <SiteFooter />
    </>
  );
}
