import { useId } from 'react';
import { renameCourse } from '../../api/admin/courses';
import { useRefresh } from '../../api/session/privatePage';
import type { CoursePublicationProps } from '../../contracts/schema';
import { FormStatus } from '../../forms/call/FormStatus';
import { errorsOf, textOf } from '../../forms/call/formValues';
import { useCallForm } from '../../forms/call/useCallForm';
import { TextField } from '../../forms/TextField';
import { Button } from '../../ui/controls/Button';
import { notify } from '../../ui/toasts/toasts';

/** Gives a course a new address. */
export function AddressForm({ frame, slug }: Pick<CoursePublicationProps, 'frame' | 'slug'>) {
  const id = useId();
  const refresh = useRefresh();
  const form = useCallForm(({ slug: wanted }: { slug: string }) => renameCourse(frame.courseId, wanted), {
    read: (data) => ({ slug: textOf(data, 'slug') }),
    check: ({ slug: wanted }) => errorsOf({ slug: !wanted && 'Enter an address.' }),
    onSuccess: () => {
      void notify('success', 'The address is changed. The former one redirects to it.');
      refresh().catch(() => undefined);
    },
  });
  return (
    <section className="area-box" aria-labelledby="course-address">
      <h2 className="heading-m" id="course-address">
        Address
      </h2>
      <form className="area-form" {...form.formProps}>
        <FormStatus form={form} />
        <TextField
          id={`${id}-slug`}
          name="slug"
          label="Address"
          hint="Lowercase letters and digits, joined by hyphens. The former address redirects for ever."
          defaultValue={slug}
          maxLength={191}
          spellCheck={false}
          autoCapitalize="none"
          required
          error={form.errors.slug}
        />
        <Button variant="quiet" isBusy={form.isBusy} busyText="Saving…">
          Change address
        </Button>
      </form>
    </section>
  );
}
