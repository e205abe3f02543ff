import { useLayoutEffect, useRef } from 'react';

type LinkRowProps = { links: { text: string; href: string; isCurrent: boolean }[] };

/** Links side by side, of which one may be where the page is. Where they are wider than the window, that one is in view. */
export function LinkRow({ links }: LinkRowProps) {
  const row = useRef<HTMLUListElement>(null);
  const current = links.findIndex(({ isCurrent }) => isCurrent);
  useLayoutEffect(() => {
    const link = row.current?.children[current];
    if (!row.current || !link) return;
    const [own, all] = [link.getBoundingClientRect(), row.current.getBoundingClientRect()];
    row.current.scrollLeft += (own.left + own.right - all.left - all.right) / 2;
  }, [current]);
  return (
    <ul className="area-weeks" ref={row}>
      {links.map(({ text, href, isCurrent }) => (
        <li key={href}>
          <a className="area-weeks__week" href={href} aria-current={isCurrent ? 'page' : undefined}>
            {text}
          </a>
        </li>
      ))}
    </ul>
  );
}
