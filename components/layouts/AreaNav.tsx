import { useId } from 'react';
import { useLocation } from 'react-router-dom';
import type { AreaProps, NavGroup, NavLink } from '../contracts/schema';
import { TimesChoice } from './TimesChoice';

type AreaNavProps = { area: AreaProps };

/** The pages of an area that the person may open: a popover below 48rem, a column beside the content above. */
export function AreaNav({ area }: AreaNavProps) {
  return (
    <nav id="area-nav" className="area-nav popover-nav" aria-label={area.title} popover="auto">
      {area.nav.map((group) => (
        <AreaNavGroup key={group.title} group={group} home={area.home} />
      ))}
      <TimesChoice shopZone={area.timeZone} />
    </nav>
  );
}

function AreaNavGroup({ group, home }: { group: NavGroup; home: string }) {
  const id = useId();
  const { pathname } = useLocation();
  const links = group.links.map((link) => ({ ...link, current: currentOf(link, pathname, home) }));
  const open = new Set(links.filter(({ current }) => current).map(({ href, below }) => below ?? href));
  return (
    <div className="area-nav__group">
      <p id={id} className="area-nav__title">
        {group.title}
      </p>
      <ul className="area-nav__links" aria-labelledby={id}>
        {links
          .filter(({ below }) => below === null)
          .map((link) => (
            <AreaNavEntry
              key={link.href}
              link={link}
              below={open.has(link.href) ? links.filter(({ below }) => below === link.href) : []}
            />
          ))}
      </ul>
    </div>
  );
}

type ShownLink = NavLink & { current: 'page' | true | undefined };

/** A link, and in a list of their own those it holds while it or one of them is open. */
function AreaNavEntry({ link, below }: { link: ShownLink; below: ShownLink[] }) {
  return (
    <li className={below.length > 0 ? 'area-nav__entry area-nav__entry--open' : 'area-nav__entry'}>
      <AreaNavLink link={link} />
      {below.length > 0 && (
        <ul className="area-nav__below" aria-label={`Below ${link.label}`}>
          {below.map((held) => (
            <li key={held.href}>
              <AreaNavLink link={held} />
            </li>
          ))}
        </ul>
      )}
    </li>
  );
}

function AreaNavLink({ link: { href, label, current } }: { link: ShownLink }) {
  return (
    <a className="area-nav__link" href={href} aria-current={current}>
      {label}
    </a>
  );
}

/** "page": the link leads to the page on screen; true: to the list that the page belongs to. */
function currentOf({ href, also }: NavLink, pathname: string, home: string): 'page' | true | undefined {
  if (href === pathname) return 'page';
  const holds = (path: string | undefined) => path !== undefined && pathname.startsWith(`${path}/`);
  return (href !== home && holds(href)) || holds(also) || also === pathname ? true : undefined;
}
