import type { EmptyAction } from '../../../contracts/schema';

/** What else can be done, beside the heading of a page; null: nothing. */
export function LinkBeside({ link }: { link: EmptyAction | null }) {
  return (
    link && (
      <a className="button button--quiet" href={link.href}>
        {link.text}
      </a>
    )
  );
}
