import type { ReactNode } from 'react';

type EmptyStateProps = {
  title: string;
  /** What will be here, or why nothing is. */
  text: string;
  /** The next step first. */
  links?: { href: string; text: string }[];
  /** Without the picture, for a part of a page. */
  isSmall?: boolean;
  /** Between the text and the links. */
  children?: ReactNode;
};

/** An empty list, and how to go on. */
export function EmptyState({ title, text, links = [], isSmall, children }: EmptyStateProps) {
  return (
    <div className="empty-state">
      {!isSmall && <img src="/static/images/empty.svg" width={240} height={160} alt="" decoding="async" />}
      <h2 className={isSmall ? 'heading-s' : undefined}>{title}</h2>
      <p className="empty-state__text">{text}</p>
      {children}
      {links.length > 0 && (
        <p className="empty-state__links row">
          {links.map(({ href, text }, index) => (
            <a key={href} className={index === 0 ? 'button' : 'button button--quiet'} href={href}>
              {text}
            </a>
          ))}
        </p>
      )}
    </div>
  );
}
