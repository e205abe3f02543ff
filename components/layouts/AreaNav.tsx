import { useId } from 'react';
import { useLocation } from 'react-router-dom';
import type { AreaProps, NavGroup } from '../contracts/schema';
import { closeAfterLink } from '../ui/closeAfterLink';

type AreaNavProps = { area: AreaProps };

/** The pages of an area that the person may open: a popover below 48rem, a column beside the content above. */
export function AreaNav({ area }: AreaNavProps) {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the clicks come from links, and Enter on a link is a click
    <nav
      id="area-nav"
      className="area-nav popover-nav"
      aria-label={area.title}
      popover="auto"
      onClick={closeAfterLink}
    >
      {area.nav.map((group) => (
        <AreaNavGroup key={group.title} group={group} home={area.home} />
      ))}
    </nav>
  );
}

function AreaNavGroup({ group, home }: { group: NavGroup; home: string }) {
  const id = useId();
  const { pathname } = useLocation();
  return (
    <div className="area-nav__group">
      <p id={id} className="area-nav__title">
        {group.title}
      </p>
      <ul aria-labelledby={id}>
        {group.links.map(({ href, label }) => (
          <li key={href}>
            <a className="area-nav__link" href={href} aria-current={currentOf(href, pathname, home)}>
              {label}
            </a>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** "page": the link leads to the page on screen; true: to the list that the page belongs to. */
function currentOf(href: string, pathname: string, home: string): 'page' | true | undefined {
  if (href === pathname) return 'page';
  return href !== home && pathname.startsWith(`${href}/`) ? true : undefined;
}
