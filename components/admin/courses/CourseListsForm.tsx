import { useId } from 'react';
import { saveLists } from '../../api/admin/courses';
import { useRefresh } from '../../api/session/privatePage';
import type { CourseListsProps } from '../../contracts/schema';
import { FormStatus } from '../../forms/call/FormStatus';
import { textOf } from '../../forms/call/formValues';
import { useCallForm } from '../../forms/call/useCallForm';
import { TextField } from '../../forms/TextField';
import { Button } from '../../ui/controls/Button';
import { notify } from '../../ui/toasts/toasts';

type Lists = CourseListsProps['fields'];

/** Outcomes, prerequisites, audience and questions of a course: an entry a line. */
export function CourseListsForm({ frame, fields }: CourseListsProps) {
  const id = useId();
  const refresh = useRefresh();
  const form = useCallForm((lists: Lists, version) => saveLists(frame.courseId, { ...lists, version }), {
    read: (data): Lists => ({
      outcomes: textOf(data, 'outcomes'),
      prerequisites: textOf(data, 'prerequisites'),
      audience: textOf(data, 'audience'),
      faq: textOf(data, 'faq'),
    }),
    version: frame.version,
    draft: `course-lists-${frame.courseId}`,
    asksBeforeLeaving: true,
    onSuccess: () => {
      void notify('success', 'The lists are saved.');
      refresh().catch(() => undefined);
    },
  });
  const field = (name: keyof Lists) => ({
    id: `${id}-${name}`,
    name,
    defaultValue: fields[name],
    error: form.errors[name],
  });
  return (
    <form className="area-form area-form--wide" {...form.formProps}>
      <FormStatus form={form} />
      <TextField
        {...field('outcomes')}
        label="What learners will be able to do"
        hint="One a line."
        rows={6}
      />
      <TextField
        {...field('prerequisites')}
        label="What they should know before"
        hint="One a line."
        rows={4}
      />
      <TextField {...field('audience')} label="Whom it is for" hint="One a line." rows={4} />
      <TextField
        {...field('faq')}
        label="Questions and answers"
        hint="A question, its answer on the next lines, then an empty line before the next question."
        rows={10}
      />
      <Button isBusy={form.isBusy} busyText="Saving…">
        Save lists
      </Button>
    </form>
  );
}
