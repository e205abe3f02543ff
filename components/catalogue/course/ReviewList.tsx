import { type ComponentType, type MouseEvent, useState } from 'react';
import type { Review, Reviews } from '../../contracts/schema';
import { barClass, type Format, plural } from '../../format/format';
import { loadOrReload } from '../../ui/loading/lazyModule';
import { Placeholder, Skeleton } from '../../ui/loading/Skeleton';
import { Stars } from '../cards/Stars';
import type { ReportReviewProps } from './ReportReview';

type ReviewListProps = { reviews: Reviews; rating: number | null; format: Format };

export function ReviewList({ reviews: { items, counts }, rating, format }: ReviewListProps) {
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (total === 0 && items.length === 0) {
    return <p className="reviews__none">No one has reviewed this course yet.</p>;
  }
  return (
    <div className="reviews stack">
      <Distribution counts={counts} total={total} rating={rating} format={format} />
      <ul className="reviews__list">
        {items.map((review) => (
          <ReviewEntry key={review.id} review={review} format={format} />
        ))}
      </ul>
    </div>
  );
}

type DistributionProps = { counts: number[]; total: number; rating: number | null; format: Format };

function Distribution({ counts, total, rating, format }: DistributionProps) {
  return (
    <div className="distribution">
      {rating !== null && (
        <p className="distribution__rating hint">
          <span className="distribution__number">{format.rating(rating)}</span>
          <Stars rating={rating} format={format} />
          <span>{`${format.count(total)} ${plural(total, 'rating', 'ratings')}`}</span>
        </p>
      )}
      <section aria-label="Ratings by number of stars">
        <ul className="distribution__bars">
          {[5, 4, 3, 2, 1].map((stars) => {
            const count = counts[stars - 1] ?? 0;
            return (
              <li className="distribution__row" key={stars}>
                <span>{`${stars} ${plural(stars, 'star', 'stars')}`}</span>
                <span className={`distribution__bar ${barClass(total > 0 ? count / total : 0)}`} />
                <span className="distribution__count">{format.count(count)}</span>
              </li>
            );
          })}
        </ul>
      </section>
    </div>
  );
}

function ReviewEntry({ review, format }: { review: Review; format: Format }) {
  return (
    <li className="review">
      <p className="review__head row">
        <Stars rating={review.rating} format={format} />
        <strong className="review__author">{review.author}</strong>
        <time className="hint" dateTime={review.at}>
          {format.date(review.at)}
        </time>
        {review.isVerified && <span className="hint">Verified learner</span>}
        {review.editedAt && (
          <time className="hint" dateTime={review.editedAt}>
            {`edited ${format.date(review.editedAt)}`}
          </time>
        )}
      </p>
      {review.title && <h3 className="review__title">{review.title}</h3>}
      {review.body && <p className="review__body">{review.body}</p>}
      <ReportLink review={review} />
    </li>
  );
}

/** Leads to the contact form where no script runs. The dialog's code loads when it is asked for. */
function ReportLink({ review }: { review: Review }) {
  const [Dialog, setDialog] = useState<ComponentType<ReportReviewProps> | null>(null);

  function open(event: MouseEvent) {
    event.preventDefault();
    loadOrReload(import('./ReportReview')).then(
      ({ ReportReview }) => setDialog(() => ReportReview),
      () => undefined,
    );
  }

  return (
    <>
      <a
        className="review__report hint"
        href="/contact"
        rel="nofollow"
        aria-label={`Report the review by ${review.author || 'a learner'}`}
        onClick={open}
      >
        Report
      </a>
      {Dialog && <Dialog review={review} onClose={() => setDialog(null)} />}
    </>
  );
}

/** About as high as the reviews that follow, so that little moves when they arrive. */
export function ReviewsSkeleton() {
  return (
    <Skeleton label="Loading reviews" className="reviews stack">
      <Placeholder shape="distribution" />
      <div className="reviews__list">
        <Placeholder shape="review" count={3} />
      </div>
    </Skeleton>
  );
}
