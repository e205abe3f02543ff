import { useState } from 'react';
import { useSite } from '../../api/site';
import type { CourseReview as CourseReviewData, OwnReview as OwnReviewData } from '../../contracts/schema';
import { barClass, formatOf } from '../../format/format';
import { isolated } from '../../model/isolated';
import { Badge } from '../../ui/Badge';
import { Button } from '../../ui/controls/Button';
import { useRestoredFocus } from '../../ui/useRestoredFocus';
import { LearningPart } from '../LearningPart';
import { ReviewActions } from './ReviewActions';
import { ReviewForm } from './ReviewForm';

type CourseReviewProps = { courseId: number; review: CourseReviewData };

/** The learner's own review of a course: written, changed and deleted here, or why it cannot be written yet. */
export function CourseReview({ courseId, review: onPage }: CourseReviewProps) {
  const [{ refusal, own }, setReview] = useState(onPage);
  const [isOpen, setIsOpen] = useState(false);
  // The buttons that close the form go with it.
  const shown = useRestoredFocus<HTMLDivElement>(isOpen ? 1 : 0);

  function show(review: CourseReviewData) {
    setReview(review);
    setIsOpen(false);
  }

  return (
    <LearningPart title="Your review" className="panel learning-part--card">
      {isOpen ? (
        <ReviewForm courseId={courseId} own={own} onSaved={show} onCancel={() => setIsOpen(false)} />
      ) : (
        <>
          <div role="status" tabIndex={-1} ref={shown}>
            {own && <OwnReview own={own} />}
          </div>
          {refusal ? (
            <p className="muted">{refusal}</p>
          ) : (
            !own && (
              <p className="muted">
                What would have helped you to decide? Others read it on the course's page.
              </p>
            )
          )}
          {!refusal && !own && (
            <div>
              <Button variant="quiet" onClick={() => setIsOpen(true)}>
                Write a review
              </Button>
            </div>
          )}
          {own && (
            <ReviewActions
              courseId={courseId}
              canEdit={!refusal}
              onEdit={() => setIsOpen(true)}
              onDeleted={show}
            />
          )}
        </>
      )}
    </LearningPart>
  );
}

/** A review as its author sees it: at once, also while others do not see it yet. */
function OwnReview({ own }: { own: OwnReviewData }) {
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
          {`${isolated(author)}, ${format.date(reviewedAt)}${editedAt ? `, changed ${format.date(editedAt)}` : ''}`}
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
