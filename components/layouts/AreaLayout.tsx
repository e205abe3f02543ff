import { type ReactNode, useEffect, useLayoutEffect, useRef } from 'react';
import { useLocation } from 'react-router-dom';
import { SessionEnd } from '../account/SessionEnd';
import { useAuth } from '../api/auth';
import { usePageSession } from '../api/session/privatePage';
import { useShop } from '../api/site';
import { currentAddress } from '../browser/address';
import { rememberPlaces, returnToPlace } from '../browser/areaPlaces';
import { onShortcut } from '../browser/windowEvents';
import type { OrganisationRef } from '../contracts/schema';
import { loginAddress } from '../model/returnTo';
import { Icon } from '../ui/Icon';
import { prepareToasts } from '../ui/toasts/toasts';
import { AreaNav } from './AreaNav';
import { SkipLink } from './SkipLink';

type AreaLayoutProps = { children: ReactNode };

/**
 * The layout of an area for signed-in people: header, side navigation and content. The host renders it without a
 * session, so name and navigation appear with the page's data.
 */
export function AreaLayout({ children }: AreaLayoutProps) {
  const { site, page } = useShop();
  const { isChecked } = useAuth();
  const session = usePageSession();
  useEffect(prepareToasts, []);
  useEffect(rememberPlaces, []);
  const own = isChecked ? session : null;
  const isShown = own !== null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: each page has a place of its own
  useLayoutEffect(() => {
    if (isShown) returnToPlace();
  }, [page, isShown]);
  const area = page?.area;
  if (!area) throw new Error('AreaLayout was rendered for a page without an area');
  return (
    <>
      <SkipLink />
      <header className="area-header row">
        <a className="site-header__brand" href="/">
          <img src={site.logo} width={32} height={32} alt="" />
          <span className="area-header__site">{site.name}</span>
        </a>
        <a className="area-header__area" href={area.home}>
          {area.title}
        </a>
        {area.id === 'admin' && <AreaSearch home={area.home} />}
        {/* Its place is kept before the name is known. */}
        <div className="area-header__person row">
          {own && (
            <>
              <button type="button" className="area-header__toggle" popoverTarget="area-nav">
                <Icon name="menu" />
                Menu
              </button>
              {own.organisation && (
                <OrganisationLink organisation={own.organisation} canSwitch={own.organisations.length > 1} />
              )}
              <span className="area-header__name">{own.learner.name || own.learner.email}</span>
              <a className="area-header__exit" href="/logout">
                Sign out
              </a>
            </>
          )}
        </div>
      </header>
      <div className="area-body">
        {own && <AreaNav area={area} />}
        <main id="main" className="area-main" tabIndex={-1}>
          {own && <SessionEnd key={own.expiresAt} session={own} />}
          {isChecked && !own ? <SignInAgain page={area.signIn ?? '/login'} /> : children}
        </main>
      </div>
    </>
  );
}

type OrganisationLinkProps = { organisation: OrganisationRef; canSwitch: boolean };

/** The organisation that the session is for; whoever belongs to several may change it. */
function OrganisationLink({ organisation, canSwitch }: OrganisationLinkProps) {
  if (!canSwitch) return <span className="area-header__organisation">{organisation.name}</span>;
  return (
    <a className="area-header__organisation" href="/organization/choose">
      {organisation.name}
      <span className="visually-hidden"> (change the organisation)</span>
    </a>
  );
}

/** Shown when the sign-in has ended while the page was open. */
function SignInAgain({ page }: { page: string }) {
  return (
    <div className="area-message">
      <h1>Please sign in</h1>
      <p>You are not signed in any more. You come straight back here.</p>
      <a className="button" href={loginAddress(currentAddress(), page)}>
        Sign in
      </a>
    </div>
  );
}

// With a key of control: one key alone may be pressed by speech or by mistake, and somebody must be able to turn it off.
const LETTER = 'k';

/** Finds orders, learners, products, coupons and organisations; without script a form that leads to the same page. */
function AreaSearch({ home }: { home: string }) {
  const field = useRef<HTMLInputElement>(null);
  const shown = useRef('');
  const { pathname, search } = useLocation();
  const path = `${home}/search`;
  const q = pathname === path ? (new URLSearchParams(search).get('q') ?? '') : '';

  // Not in the first render: the server renders the header for all addresses alike.
  useEffect(() => {
    if (field.current && q !== shown.current) field.current.value = q;
    shown.current = q;
  }, [q]);

  useEffect(
    () =>
      onShortcut(LETTER, () => {
        field.current?.focus();
        field.current?.select();
      }),
    [],
  );

  return (
    <search className="area-search">
      <form className="area-search__form" action={path} method="get" data-navigate="">
        <label className="sr-only" htmlFor="area-search">
          Search the area
        </label>
        <input
          ref={field}
          id="area-search"
          className="area-search__field"
          type="search"
          name="q"
          placeholder="Search"
          maxLength={254}
          autoComplete="off"
          spellCheck={false}
          aria-keyshortcuts="Control+K Meta+K"
          title="Search (Ctrl+K)"
        />
        <button type="submit" className="area-search__button">
          <Icon name="search" />
          <span className="sr-only">Search</span>
        </button>
      </form>
    </search>
  );
}
