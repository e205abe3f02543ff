import { useId } from 'react';
import { retireCourse } from '../../api/admin/courses';
import { useRefresh } from '../../api/session/privatePage';
import type { CoursePublicationProps } from '../../contracts/schema';
import { FormStatus } from '../../forms/call/FormStatus';
import { errorsOf, textOf } from '../../forms/call/formValues';
import { useCallForm } from '../../forms/call/useCallForm';
import { TextField } from '../../forms/TextField';
import { Button } from '../../ui/controls/Button';
import { notify } from '../../ui/toasts/toasts';

type Retirement = { successor: string; reason: string };

/** Takes a course out of the shop; says first how many own it. */
export function RetireForm({ frame: { courseId, version }, owners }: CoursePublicationProps) {
  const id = useId();
  const refresh = useRefresh();
  const form = useCallForm(
    (retirement: Retirement, seen) => retireCourse(courseId, { ...retirement, version: seen }),
    {
      read: (data) => ({ successor: textOf(data, 'successor'), reason: textOf(data, 'reason') }),
      check: ({ reason }) => errorsOf({ reason: !reason && 'Say why, for the record.' }),
      version,
      draft: `retire-${courseId}`,
      onSuccess: () => {
        void notify('success', 'The course is retired.');
        refresh().catch(() => undefined);
      },
    },
  );
  const people = owners === 1 ? '1 learner owns it and keeps it.' : `${owners} learners own it and keep it.`;
  return (
    <section className="area-box" aria-labelledby="course-retirement">
      <h2 className="heading-m" id="course-retirement">
        Retire
      </h2>
      <p>{`Nobody can buy it any more, and carts lose it. ${people}`}</p>
      <form className="area-form" {...form.formProps}>
        <FormStatus form={form} />
        <TextField
          id={`${id}-successor`}
          name="successor"
          label="Successor"
          hint="The address of another published course, such as vat-basics. Empty: none."
          maxLength={191}
          spellCheck={false}
          autoCapitalize="none"
          error={form.errors.successor}
        />
        <TextField
          id={`${id}-reason`}
          name="reason"
          label="Reason"
          hint="It is recorded for good."
          maxLength={500}
          required
          error={form.errors.reason}
        />
        <Button variant="danger" isBusy={form.isBusy} busyText="Retiring…">
          Retire the course
        </Button>
      </form>
    </section>
  );
}
