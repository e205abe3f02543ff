import { useId } from 'react';
import { retireProduct } from '../../api/admin/courses';
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
export function RetireForm({ frame, owners, recentBuyers, refundDays }: CoursePublicationProps) {
  const { courseId, version, kind } = frame;
  const id = useId();
  const refresh = useRefresh();
  const form = useCallForm(
    (retirement: Retirement, seen) => retireProduct(frame, { ...retirement, version: seen }),
    {
      read: (data) => ({ successor: textOf(data, 'successor'), reason: textOf(data, 'reason') }),
      check: ({ reason }) => errorsOf({ reason: !reason && 'Say why, for the record.' }),
      version,
      draft: `retire-${courseId}`,
      onSuccess: () => {
        void notify('success', `The ${kind} is retired.`);
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
      <p>{`Nobody can buy it any more, and carts lose it. ${kind === 'course' ? people : ''}`}</p>
      <p>{buyersText(recentBuyers, refundDays)}</p>
      <form className="area-form" {...form.formProps}>
        <FormStatus form={form} />
        <TextField
          id={`${id}-successor`}
          name="successor"
          label="Successor"
          hint={`The address of another published ${kind}. Empty: none.`}
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
          {`Retire the ${kind}`}
        </Button>
      </form>
    </section>
  );
}

function buyersText(count: number, days: number): string {
  if (count === 0) return `Nobody has bought it within the last ${days} days.`;
  const people = count === 1 ? '1 person has' : `${count} people have`;
  return `${people} bought it within the last ${days} days, and may still ask for their money back.`;
}
