import type { ShopProps } from '../api/pageProps';
import type { Format } from '../ui/format';
import { Icon } from '../ui/Icon';

type PagerProps = { pager: ShopProps['pager']; format: Format };
type Entry = ShopProps['pager']['entries'][number];

export function Pager({ pager: { previous, next, entries, nofollow }, format }: PagerProps) {
  if (entries.length < 2) return null;
  return (
    <nav className="pager" aria-label="Pages">
      {previous && (
        <a className="pager__step pager__step--back" href={previous} rel={relOf('prev', nofollow)}>
          <Icon name="arrow" />
          Previous
        </a>
      )}
      <ol className="pager__entries">
        {entries.map((entry, index) => (
          <li key={entry.number ?? `gap-${entries[index - 1]?.number}`}>
            {entryOf(entry, format, nofollow)}
          </li>
        ))}
      </ol>
      {next && (
        <a className="pager__step" href={next} rel={relOf('next', nofollow)}>
          Next
          <Icon name="arrow" />
        </a>
      )}
    </nav>
  );
}

function relOf(place: string, nofollow?: boolean): string {
  return nofollow ? `${place} nofollow` : place;
}

function entryOf({ number, href }: Entry, format: Format, nofollow?: boolean) {
  if (number === null) return <span className="pager__gap">…</span>;
  const inside = (
    <>
      <span className="sr-only">Page </span>
      {format.count(number)}
    </>
  );
  if (href === null) {
    return (
      <span className="pager__entry pager__entry--current" aria-current="page">
        {inside}
      </span>
    );
  }
  return (
    <a className="pager__entry" href={href} rel={nofollow ? 'nofollow' : undefined}>
      {inside}
    </a>
  );
}
