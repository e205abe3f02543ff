import type { ReactNode } from 'react';
import { useSite } from '../api/site';
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
      <ScopeNote />
      <main id="main" className="site-main" tabIndex={-1}>
        {children}
      </main>
      <SiteFooter />
    </>
  );
}

/** Why restricted members see less of the shop. */
function ScopeNote() {
  const { scope } = useSite();
  if (!scope) return null;
  return (
    <p className="scope-note row">
      {scope.logo && <img src={scope.logo} width={112} height={32} alt="" />}
      <span>{scope.text}</span>
    </p>
  );
}

/** The layout of the shop. */
export function LayoutOne({ children }: { children: ReactNode }) {
  return <DefaultLayout section="shop">{children}</DefaultLayout>;
}
