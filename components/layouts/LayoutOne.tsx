import type { ReactNode } from 'react';
import { VisitorsOwn } from '../cart/VisitorsOwn';
import { SearchBox } from '../catalogue/SearchBox';
import { AccountButton } from '../identity/AccountButton';
import { SiteFooter } from '../ui/SiteFooter';
import { SiteHeader } from '../ui/SiteHeader';
import { SkipLink } from '../ui/SkipLink';

type LayoutOneProps = { children: ReactNode };

/** The shop's frame: the default one with the categories always in reach. */
export function LayoutOne({ children }: LayoutOneProps) {
  return (
    <>
      <SkipLink />
      <SiteHeader
        section="shop"
        search={<SearchBox place="header" />}
        own={<VisitorsOwn account={<AccountButton />} />}
      />
      <main id="main" className="site-main" tabIndex={-1}>
        {children}
      </main>
      <SiteFooter />
    </>
  );
}
