import { useState } from 'react';
import { deleteReview } from '../../api/learning/reviews';
import type { CourseReview } from '../../contracts/schema';
import { CallError } from '../../forms/call/SignInAgain';
import { useCall } from '../../forms/call/useCall';
import { ConfirmDialog } from '../../ui/ConfirmDialog';
import { Button } from '../../ui/controls/Button';

type ReviewActionsProps = {
  courseId: number;
  canEdit: boolean;
  onEdit: () => void;
  onDeleted: (review: CourseReview) => void;
};

/** What a learner can do with a review that is written. */
export function ReviewActions({ courseId, canEdit, onEdit, onDeleted }: ReviewActionsProps) {
  const [isAsking, setIsAsking] = useState(false);
  const call = useCall();
  return (
    <>
      <CallError call={call} />
      <div className="row">
        {canEdit && (
          <Button variant="quiet" onClick={onEdit}>
            Change it
          </Button>
        )}
        <Button
          variant="text-quiet"
          isBusy={call.isBusy}
          busyText="Deleting…"
          onClick={() => setIsAsking(true)}
        >
          Delete it
        </Button>
      </div>
      {isAsking && (
        <ConfirmDialog
          question="Delete your review?"
          text="Its stars no longer count. You can write a new one later."
          yes="Delete"
          no="Keep it"
          onYes={() => void call.run(async () => onDeleted(await deleteReview(courseId)))}
          onClose={() => setIsAsking(false)}
        />
      )}
    </>
  );
}
