import { saveLists } from '../../api/admin/courses';
import type { CourseListsProps } from '../../contracts/schema';
import { textOf } from '../../forms/call/formValues';
import { TextField } from '../../forms/TextField';
import { EditForm } from '../texts/EditForm';
import { useEditForm } from '../texts/useEditForm';

type Lists = CourseListsProps['fields'];

/** Outcomes, prerequisites, audience and questions of a course: an entry a line. */
export function CourseListsForm({ frame, fields }: CourseListsProps) {
  const { form, field } = useEditForm(
    (lists: Lists, version) => saveLists(frame.courseId, { ...lists, version }),
    fields,
    {
      read: (data) => ({
        outcomes: textOf(data, 'outcomes'),
        prerequisites: textOf(data, 'prerequisites'),
        audience: textOf(data, 'audience'),
        faq: textOf(data, 'faq'),
      }),
      version: frame.version,
      draft: `course-lists-${frame.courseId}`,
      saved: 'The lists are saved.',
    },
  );
  return (
    <EditForm form={form} save="Save lists" isWide>
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
    </EditForm>
  );
}
