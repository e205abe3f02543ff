import type { ReactNode } from 'react';
import { useSite } from '../api/site';
import { SkipLink } from './SkipLink';

type BlankLayoutProps = { children: ReactNode };

/** A layout without navigation: the only other links are the logo's and the footer's. */
export function BlankLayout({ children }: BlankLayoutProps) {
  const site = useSite();
  return (
    <>
      <SkipLink />
      <header className="blank-header row">
        <a className="site-header__brand" href="/">
          <img src={site.logo} width={40} height={40} alt="" />
          <span className="site-header__name">{site.name}</span>
        </a>
      </header>
      <main id="main" className="blank-main" tabIndex={-1}>
        {children}
      </main>
      <footer className="blank-footer row hint">
        <nav className="blank-footer__links row" aria-label="Footer">
          <a href="/refund-grievance-policy">Refunds and grievances</a>
          <a href="/contact">Contact</a>
          {site.legal.map(({ href, text }) => (
            <a key={href} href={href}>
              {text}
            </a>
          ))}
        </nav>
        <p>
          © {site.year} {site.name}
        </p>
      </footer>
    </>
  );
}
