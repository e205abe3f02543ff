import type { ReactNode } from 'react';
import { useSite } from '../api/site';
import { AccountLink } from '../identity/header/AccountLink';
import { OWN_LINKS, useOwnClass } from '../identity/header/ownLinks';
import { isServed } from '../model/servedPages';
import { Icon } from '../ui/Icon';
import { CategoryLink } from './CategoryLink';

type SiteHeaderProps = {
  /** In the shop the categories are listed below the main links. */
  section?: 'shop';
  /** The search box, unless the page has its own. */
  search?: ReactNode;
  /** The visitor's links, completed after hydration: the cart, the account and the referrer. */
  actions?: ReactNode;
};

export function SiteHeader({ section, search, actions }: SiteHeaderProps) {
  const site = useSite();
  const current = section === 'shop' ? 'true' : undefined;
  const own = useOwnClass();
  return (
    <header className="site-header">
      <div className={actions ? 'site-header__bar site-header__bar--actions row' : 'site-header__bar row'}>
        <a className="site-header__brand" href="/">
          <img src={site.logo} width={40} height={40} alt="" fetchPriority="low" />
          <span className="site-header__name">{site.name}</span>
        </a>
        <button type="button" className="site-header__toggle" popoverTarget="site-menu">
          <Icon name="menu" />
          Menu
        </button>
        {search && <div className="site-header__search">{search}</div>}
        {/* A popover below 48rem, always visible above: the style sheet decides, so it works without JavaScript. */}
        <nav
          id="site-menu"
          className={section ? 'site-nav site-nav--shop popover-nav' : 'site-nav popover-nav'}
          aria-label="Main"
          popover="auto"
        >
          <ul className="site-nav__main">
            <li>
              <a className="site-nav__link" href="/shop" aria-current={current}>
                Catalogue
              </a>
            </li>
            {/* Beside the logo it takes the place of the next link, so that nothing moves. */}
            {own !== null && (
              <li className={`site-nav__place ${own}`}>
                <a className="site-nav__link" href="/user-dashboard">
                  My learning
                </a>
              </li>
            )}
            <li className="site-nav__place">
              <a className="site-nav__link" href="/about">
                About
              </a>
            </li>
            <li>
              <a className="site-nav__link" href="/organization-register">
                For teams
              </a>
            </li>
            <li>
              <a className="site-nav__link" href="/contact">
                Contact
              </a>
            </li>
            <li className="site-nav__personal">
              <AccountLink className="site-nav__link" />
            </li>
            {isServed('wishlist') && (
              <li className="site-nav__personal">
                <a className="site-nav__link" href="/wishlist">
                  Wishlist
                </a>
              </li>
            )}
            {own !== null &&
              OWN_LINKS.map(([text, href]) => (
                <li key={href} className={`site-nav__personal ${own}`}>
                  <a className="site-nav__link" href={href}>
                    {text}
                  </a>
                </li>
              ))}
          </ul>
          <ul className="site-nav__topics">
            {site.categories.map((category) => (
              <li key={category.slug}>
                <CategoryLink category={category} className="site-nav__topic" />
              </li>
            ))}
          </ul>
        </nav>
        {actions && <div className="site-header__actions">{actions}</div>}
      </div>
    </header>
  );
}
