import { isServed } from '../model/servedPages';

type EmptyStateProps = { title: string; text: string; other?: { id: string; href: string; text: string } };

/** An empty list, with links to continue. */
export function EmptyState({ title, text, other }: EmptyStateProps) {
  return (
    <div className="empty-state">
      <img src="/static/images/empty.svg" width={240} height={160} alt="" />
      <h2>{title}</h2>
      <p className="empty-state__text">{text}</p>
      <p className="empty-state__links row">
        <a className="button" href="/shop">
          Browse the catalogue
        </a>
        {other && isServed(other.id) && (
          <a className="button button--quiet" href={other.href}>
            {other.text}
          </a>
        )}
      </p>
    </div>
  );
}
