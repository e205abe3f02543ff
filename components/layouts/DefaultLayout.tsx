import type { ReactNode } from 'react';
import { SearchBox } from '../catalogue/search/SearchBox';
import { AccountButton } from '../identity/header/AccountButton';
import { HeaderActions } from './HeaderActions';
import { SiteFooter } from './SiteFooter';
import { SiteHeader } from './SiteHeader';
import { SkipLink } from './SkipLink';

type DefaultLayoutProps = { children: ReactNode };

export function DefaultLayout({ children }: DefaultLayoutProps) {
  return (
    <>
      <SkipLink />
      <SiteHeader
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
