import type { ReactNode } from 'react';
import { SearchBox } from '../catalogue/search/SearchBox';
import { AccountButton } from '../identity/header/AccountButton';
import { HeaderActions } from './HeaderActions';
import { SiteFooter } from './SiteFooter';
import { SiteHeader } from './SiteHeader';
import { SkipLink } from './SkipLink';

type LayoutOneProps = { children: ReactNode };

/** The layout of the shop: the default one with the categories below the header. */
export function LayoutOne({ children }: LayoutOneProps) {
  return (
    <>
      <SkipLink />
      <SiteHeader
        section="shop"
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
