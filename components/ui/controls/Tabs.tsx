import type { ReactNode } from 'react';

export type Tab = { href: string; text: string; isCurrent: boolean; badge?: ReactNode };

/** The parts of one thing as pages of their own: links, of which one is current. Its style sheet is tabs.css. */
export function Tabs({ label, tabs }: { label: string; tabs: Tab[] }) {
  return (
    <nav className="tabs" aria-label={label}>
      <ul className="tabs__list">
        {tabs.map(({ href, text, isCurrent, badge }) => (
          <li key={href}>
            <a className="tabs__tab" href={href} aria-current={isCurrent ? 'page' : undefined}>
              {text}
              {badge}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
