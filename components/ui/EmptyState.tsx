import { isServed } from '../api/servedPages';

type EmptyListProps = { title: string; text: string; other?: { id: string; href: string; text: string } };

/** A cart or wishlist with nothing in it, and where to go from there. */
export function EmptyList({ title, text, other }: EmptyListProps) {
  return (
    <div className="empty-list">
      <img src="/static/images/empty.svg" width={240} height={160} alt="" />
      <h2 className="empty-list__title">{title}</h2>
      <p className="empty-list__text">{text}</p>
      <p className="empty-list__links">
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

export function EmptyCart() {
  return (
    <EmptyList
      title="Your cart is empty"
      text="Courses you add wait here, also when you come back another day."
      other={{ id: 'wishlist', href: '/wishlist', text: 'Look at your wishlist' }}
    />
  );
}
