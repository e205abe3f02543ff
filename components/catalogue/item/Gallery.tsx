import type { Picture } from '../../contracts/schema';

type GalleryProps = { pictures: Picture[] };

/** A row to swipe on narrow screens, one large picture above smaller ones on wide ones. */
export function Gallery({ pictures }: GalleryProps) {
  if (pictures.length === 0) return null;
  const isSingle = pictures.length === 1;
  return (
    <ul
      className={isSingle ? 'gallery gallery--single' : 'gallery'}
      // The arrow keys scroll the row on narrow screens.
      tabIndex={isSingle ? undefined : 0}
    >
      {pictures.map((picture, index) => (
        <li className="gallery__entry" key={picture.src}>
          <img
            className="gallery__picture picture"
            src={picture.src}
            width={picture.width}
            height={picture.height}
            alt={picture.alt}
            loading={index > 0 ? 'lazy' : undefined}
            decoding="async"
            fetchPriority={index > 0 ? undefined : 'high'}
          />
        </li>
      ))}
    </ul>
  );
}
