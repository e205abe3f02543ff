import { useId } from 'react';
import { closeCourse, keepCourseOpen } from '../../api/admin/courses';
import { useRefresh } from '../../api/session/privatePage';
import { useSite } from '../../api/site';
import type { CoursePublicationProps } from '../../contracts/schema';
import { FormStatus } from '../../forms/call/FormStatus';
import { errorsOf, textOf } from '../../forms/call/formValues';
import { useCallForm } from '../../forms/call/useCallForm';
import { DateField } from '../../forms/DateField';
import { TextField } from '../../forms/TextField';
import { instantOf } from '../../forms/zonedTime';
import { Button } from '../../ui/controls/Button';
import { CellContent, tableFormatOf } from '../../ui/table/TableCell';
import { notify } from '../../ui/toasts/toasts';

const ZONE = 'UTC';
const NO_REASON = 'Say why.';

/** Ends access to a retired course for everybody, on a day that they are told of; or cancels that. */
export function CloseForm(props: CoursePublicationProps) {
  return (
    <section className="area-box" aria-labelledby="course-closure">
      <h2 className="heading-m" id="course-closure">
        End access for legal reasons
      </h2>
      {props.closure ? <Announced {...props} closure={props.closure} /> : <Announcing {...props} />}
    </section>
  );
}

function Announcing({ frame, owners }: CoursePublicationProps) {
  const id = useId();
  const refresh = useRefresh();
  const form = useCallForm(
    (closing: { endsAt: string | null; reason: string }) =>
      closeCourse(frame.courseId, { ...closing, endsAt: closing.endsAt ?? '' }),
    {
      read: (data) => ({
        endsAt: instantOf(textOf(data, 'endsAt'), ZONE),
        reason: textOf(data, 'reason'),
      }),
      check: ({ endsAt, reason }) =>
        errorsOf({ endsAt: endsAt === null && 'Choose a day and a time.', reason: !reason && NO_REASON }),
      draft: `close-${frame.courseId}`,
      onSuccess: ({ text }) => {
        void notify('success', text);
        refresh().catch(() => undefined);
      },
    },
  );
  const people = owners === 1 ? '1 learner has it' : `${owners} learners have it`;
  return (
    <>
      <p>{`Only where the law asks for it: ${people}, and everybody is told by mail at least 30 days before.`}</p>
      <p>Whoever paid may ask for the money back. Certificates stay; notes and results stay for 30 days.</p>
      <form className="area-form" {...form.formProps}>
        <FormStatus form={form} />
        <DateField
          id={`${id}-ends`}
          name="endsAt"
          label="Access ends at"
          zone={ZONE}
          required
          error={form.errors.endsAt}
        />
        <TextField
          id={`${id}-reason`}
          name="reason"
          label="Reason"
          hint="Everybody who has the course reads it."
          maxLength={500}
          required
          error={form.errors.reason}
        />
        <Button variant="danger" isBusy={form.isBusy} busyText="Announcing…">
          Announce the end
        </Button>
      </form>
    </>
  );
}

type AnnouncedProps = CoursePublicationProps & { closure: NonNullable<CoursePublicationProps['closure']> };

function Announced({ frame, closure }: AnnouncedProps) {
  const id = useId();
  const refresh = useRefresh();
  const format = tableFormatOf(useSite());
  const form = useCallForm((reason: { reason: string }) => keepCourseOpen(frame.courseId, reason), {
    read: (data) => ({ reason: textOf(data, 'reason') }),
    check: ({ reason }) => errorsOf({ reason: !reason && NO_REASON }),
    onSuccess: ({ text }) => {
      void notify('success', text);
      refresh().catch(() => undefined);
    },
  });
  return (
    <>
      <p>
        {closure.isOver ? 'Access ended at (UTC): ' : 'Access ends at (UTC): '}
        <CellContent cell={{ kind: 'time', at: closure.endsAt }} label="Access ends" format={format} />
      </p>
      <p>{`The reason: ${closure.reason}`}</p>
      {!closure.isOver && (
        <form className="area-form" {...form.formProps}>
          <FormStatus form={form} />
          <TextField
            id={`${id}-reason`}
            name="reason"
            label="Why the course stays after all"
            hint="It is recorded for good."
            maxLength={500}
            required
            error={form.errors.reason}
          />
          <Button variant="quiet" isBusy={form.isBusy} busyText="Cancelling…">
            Cancel the end
          </Button>
        </form>
      )}
    </>
  );
}
