import { useSite } from '../../api/site';
import type { OwnReview as OwnReviewData } from '../../contracts/schema';
import { barClass, formatOf } from '../../format/format';
import { Badge } from '../../ui/Badge';

/** A review as its author sees it: at once, also while others do not see it yet. */
export function OwnReview({ own }: { own: OwnReviewData }) {
  const format = formatOf(useSite());
  const { rating, title, text, author, reviewedAt, editedAt } = own;
  return (
    <div className="own-review stack">
      <p className="row">
        <span
          className={`stars ${barClass(rating / 5)}`}
          role="img"
          aria-label={`Rated ${format.rating(rating)} out of 5`}
        />
        <span className="hint">
          {`${author}, ${format.date(reviewedAt)}${editedAt ? `, changed ${format.date(editedAt)}` : ''}`}
        </span>
      </p>
      {title && <h3 className="heading-s">{title}</h3>}
      {text && <p className="own-review__text">{text}</p>}
      <ReviewState own={own} />
    </div>
  );
}

function ReviewState({ own: { state, hiddenReason } }: { own: OwnReviewData }) {
  if (state === 'published')
    return <p className="hint">On the course's page within two minutes, as of a verified learner.</p>;
  if (state === 'pending')
    return (
      <p>
        <Badge tone="warning" text="Being checked" />{' '}
        <span className="hint">Somebody looks at it before others see it. We write to you then.</span>
      </p>
    );
  return (
    <p>
      <Badge tone="bad" text="Not shown" /> <span className="hint">{hiddenReason}</span>
    </p>
  );
}
