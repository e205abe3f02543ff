import { useId } from 'react';
import { publishProduct } from '../../api/admin/courses';
import { useRefresh } from '../../api/session/privatePage';
import type { CourseFrame } from '../../contracts/schema';
import { CheckboxField } from '../../forms/CheckboxField';
import { FormStatus } from '../../forms/call/FormStatus';
import { errorsOf, textOf } from '../../forms/call/formValues';
import { useCallForm } from '../../forms/call/useCallForm';
import { DateField } from '../../forms/DateField';
import { instantOf } from '../../forms/zonedTime';
import { Button } from '../../ui/controls/Button';
import { notify } from '../../ui/toasts/toasts';

const ZONE = 'UTC';

type ScheduleFormProps = {
  frame: CourseFrame;
  /** What has to be confirmed of a course without lessons of its own; "" for nothing. */
  outline: string;
};

type Plan = { startsAt: string | null; isOutlineMeant: boolean };

/** Plans the publication of a course for a time. */
export function ScheduleForm({ frame, outline }: ScheduleFormProps) {
  const { version } = frame;
  const id = useId();
  const refresh = useRefresh();
  const form = useCallForm((plan: Plan, seen) => publishProduct(frame, { version: seen, ...plan }), {
    read: (data) => ({
      startsAt: instantOf(textOf(data, 'startsAt'), ZONE),
      isOutlineMeant: data.has('isOutlineMeant'),
    }),
    check: ({ startsAt, isOutlineMeant }) =>
      errorsOf({
        startsAt: startsAt === null && 'Choose a day and a time.',
        isOutlineMeant: outline !== '' && !isOutlineMeant && 'Confirm that you mean it.',
      }),
    version,
    onSuccess: () => {
      void notify('success', 'The publication is planned.');
      refresh().catch(() => undefined);
    },
  });
  return (
    <form className="area-form" {...form.formProps}>
      <FormStatus form={form} />
      <DateField
        id={`${id}-at`}
        name="startsAt"
        label="Publish at"
        zone={ZONE}
        required
        error={form.errors.startsAt}
      />
      {outline && (
        <CheckboxField
          id={`${id}-outline`}
          name="isOutlineMeant"
          label="Publish it without lessons of its own"
          hint={outline}
          error={form.errors.isOutlineMeant}
        />
      )}
      <Button variant="quiet" isBusy={form.isBusy} busyText="Saving…">
        Plan the publication
      </Button>
    </form>
  );
}
