import { useState } from 'react';
import type { CourseReview as CourseReviewData } from '../../contracts/schema';
import { Button } from '../../ui/controls/Button';
import { useRestoredFocus } from '../../ui/useRestoredFocus';
import { LearningPart } from '../LearningPart';
import { OwnReview } from './OwnReview';
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
