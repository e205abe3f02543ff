import { useState } from 'react';
import dialogStyles from '../../../static/css/confirm-dialog.css?text';
import { useAuth } from '../../api/auth';
import { reportReview } from '../../api/learning/reviews';
import { currentAddress } from '../../browser/address';
import type { Review } from '../../contracts/schema';
import { FormStatus } from '../../forms/call/FormStatus';
import { textOf } from '../../forms/call/formValues';
import { useCallForm } from '../../forms/call/useCallForm';
import { TextField } from '../../forms/TextField';
import { loginAddress } from '../../model/returnTo';
import { Button } from '../../ui/controls/Button';
import { Modal } from '../../ui/Modal';
import { useStyles } from '../../ui/useStyles';

const MAX_REASON = 500;

export type ReportReviewProps = { review: Pick<Review, 'id' | 'author'>; onClose: () => void };

/** Asks what is wrong with a review. Only learners are counted; others are shown where they can write to us. */
export function ReportReview({ review, onClose }: ReportReviewProps) {
  // The course's page has no other dialog.
  useStyles(dialogStyles);
  const { learner } = useAuth();
  const [isSent, setIsSent] = useState(false);
  return (
    <Modal className="confirm-dialog" labelledBy="report-title" onClose={onClose}>
      <div className="confirm-dialog__body">
        <h2 className="heading-m" id="report-title">
          {review.author ? `Report the review by ${review.author}` : 'Report this review'}
        </h2>
        {!learner && <SignInToReport onClose={onClose} />}
        <div role="status">
          {isSent && <p>Thank you. After reports by several learners somebody looks at it first.</p>}
        </div>
        {isSent && (
          <div className="confirm-dialog__answers row">
            <Button onClick={onClose}>Close</Button>
          </div>
        )}
        {learner && !isSent && <ReportForm id={review.id} onSent={() => setIsSent(true)} onClose={onClose} />}
      </div>
    </Modal>
  );
}

function SignInToReport({ onClose }: { onClose: () => void }) {
  return (
    <>
      <p className="muted">
        Sign in to report it, or <a href="/contact">write to us</a>.
      </p>
      <div className="confirm-dialog__answers row">
        <Button variant="quiet" onClick={onClose}>
          Cancel
        </Button>
        <a className="button" href={loginAddress(currentAddress())}>
          Sign in
        </a>
      </div>
    </>
  );
}

type ReportFormProps = { id: number; onSent: () => void; onClose: () => void };

function ReportForm({ id, onSent, onClose }: ReportFormProps) {
  const form = useCallForm((reason: string) => reportReview(id, reason), {
    read: (data) => textOf(data, 'reason'),
    onSuccess: onSent,
  });
  return (
    <form className="stack" {...form.formProps}>
      <FormStatus form={form} />
      <TextField
        id="report-reason"
        name="reason"
        label="What is wrong with it?"
        hint="You may leave this empty. Its author does not learn who you are."
        rows={3}
        maxLength={MAX_REASON}
        autoComplete="off"
        error={form.errors.reason}
      />
      <div className="confirm-dialog__answers row">
        <Button variant="quiet" onClick={onClose}>
          Cancel
        </Button>
        <Button isBusy={form.isBusy} busyText="Sending…">
          Report it
        </Button>
      </div>
    </form>
  );
}
