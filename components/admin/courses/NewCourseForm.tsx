import { useId } from 'react';
import { useNavigate } from 'react-router-dom';
import { createCourse } from '../../api/admin/courses';
import type { NewCourseProps } from '../../contracts/schema';
import { FormStatus } from '../../forms/call/FormStatus';
import { errorsOf, textOf } from '../../forms/call/formValues';
import { useCallForm } from '../../forms/call/useCallForm';
import { SelectField } from '../../forms/SelectField';
import { TextField } from '../../forms/TextField';
import { Button } from '../../ui/controls/Button';

/** Begins a course: a draft with a name and a category. */
export function NewCourseForm({ categories }: Pick<NewCourseProps, 'categories'>) {
  const id = useId();
  const navigate = useNavigate();
  const form = useCallForm(createCourse, {
    read: (data) => ({ name: textOf(data, 'name'), category: textOf(data, 'category') }),
    check: ({ name, category }) =>
      errorsOf({ name: !name && 'Enter a name.', category: !category && 'Choose a category.' }),
    draft: 'new-course',
    onSuccess: ({ id: courseId }) => navigate(`/admin/courses/${courseId}`),
  });
  return (
    <form className="area-form area-box" {...form.formProps}>
      <FormStatus form={form} />
      <TextField
        id={`${id}-name`}
        name="name"
        label="Name"
        hint="Its address is made of the name."
        maxLength={255}
        required
        error={form.errors.name}
      />
      <SelectField
        id={`${id}-category`}
        name="category"
        label="Category"
        options={categories}
        required
        error={form.errors.category}
      />
      <Button isBusy={form.isBusy} busyText="Creating…">
        Create draft
      </Button>
    </form>
  );
}
