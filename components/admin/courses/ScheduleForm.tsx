import { useId } from 'react';
import { publishProduct } from '../../api/admin/courses';
import { useRefresh } from '../../api/session/privatePage';
import type { CourseFrame } from '../../contracts/schema';
import { FormStatus } from '../../forms/call/FormStatus';
import { errorsOf, textOf } from '../../forms/call/formValues';
import { useCallForm } from '../../forms/call/useCallForm';
import { DateField } from '../../forms/DateField';
import { instantOf } from '../../forms/zonedTime';
import { Button } from '../../ui/controls/Button';
import { notify } from '../../ui/toasts/toasts';

const ZONE = 'UTC';

/** Plans the publication of a course for a time. */
export function ScheduleForm({ frame }: { frame: CourseFrame }) {
  const { version } = frame;
  const id = useId();
  const refresh = useRefresh();
  const form = useCallForm(
    ({ startsAt }: { startsAt: string | null }, seen) => publishProduct(frame, { version: seen, startsAt }),
    {
      read: (data) => ({ startsAt: instantOf(textOf(data, 'startsAt'), ZONE) }),
      check: ({ startsAt }) => errorsOf({ startsAt: startsAt === null && 'Choose a day and a time.' }),
      version,
      onSuccess: () => {
        void notify('success', 'The publication is planned.');
        refresh().catch(() => undefined);
      },
    },
  );
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
      <Button variant="quiet" isBusy={form.isBusy} busyText="Saving…">
        Plan the publication
      </Button>
    </form>
  );
}
