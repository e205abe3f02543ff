import type { CategoryRef } from '../contracts/schema';

type CategoryLinkProps = { category: CategoryRef; className?: string };

/** A link of header and footer to the list of a category. */
export function CategoryLink({ category: { href, name, nofollow }, className }: CategoryLinkProps) {
  return (
    <a className={className} href={href} rel={nofollow ? 'nofollow' : undefined}>
      {name}
    </a>
  );
}
