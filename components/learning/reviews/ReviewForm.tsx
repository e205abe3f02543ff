import { putReview } from '../../api/learning/reviews';
import type { CourseReview, OwnReview } from '../../contracts/schema';
import { FormStatus } from '../../forms/call/FormStatus';
import { textOf } from '../../forms/call/formValues';
import { useCallForm } from '../../forms/call/useCallForm';
import { TextField } from '../../forms/TextField';
import { Button } from '../../ui/controls/Button';
import { StarsField } from './StarsField';

const MAX_TITLE = 120;
const MAX_TEXT = 4000;

type ReviewFormProps = {
  courseId: number;
  own: OwnReview | null;
  onSaved: (review: CourseReview) => void;
  onCancel: () => void;
};

/** Stars, a title and a text, both of which may be empty. */
export function ReviewForm({ courseId, own, onSaved, onCancel }: ReviewFormProps) {
  const form = useCallForm(
    (values: { rating: number; title: string; text: string }) => putReview(courseId, values),
    {
      read: (data) => ({
        rating: Number(textOf(data, 'rating')),
        title: textOf(data, 'title'),
        text: textOf(data, 'text'),
      }),
      check: ({ rating }): Record<string, string> => (rating ? {} : { rating: 'Choose one to five stars.' }),
      onSuccess: onSaved,
    },
  );
  return (
    <form className="review-form stack" {...form.formProps}>
      <FormStatus form={form} />
      <StarsField chosen={own?.rating ?? 0} error={form.errors.rating} />
      <TextField
        id="review-title"
        name="title"
        label="In one line"
        hint="You may leave this and the text empty."
        maxLength={MAX_TITLE}
        autoComplete="off"
        defaultValue={own?.title ?? ''}
        error={form.errors.title}
      />
      <TextField
        id="review-text"
        name="text"
        label="Your review"
        hint="Plain text. Links and addresses are looked at before others see them."
        rows={5}
        maxLength={MAX_TEXT}
        autoComplete="off"
        defaultValue={own?.text ?? ''}
        error={form.errors.text}
      />
      <div className="row">
        <Button isBusy={form.isBusy} busyText="Saving…">
          {own ? 'Save the change' : 'Publish the review'}
        </Button>
        <Button variant="text-quiet" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </form>
  );
}
