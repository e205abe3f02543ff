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
import { EmptyState } from '../../ui/EmptyState';

/** Begins a course: a draft with a name and a category. */
export function NewCourseForm({ categories, name }: Pick<NewCourseProps, 'categories' | 'name'>) {
  const id = useId();
  const navigate = useNavigate();
  const form = useCallForm(createCourse, {
    read: (data) => ({ name: textOf(data, 'name'), category: textOf(data, 'category') }),
    check: ({ name, category }) =>
      errorsOf({ name: !name && 'Enter a name.', category: !category && 'Choose a category.' }),
    // What was typed before belongs to another course than one that is begun by its name.
    draft: name ? '' : 'new-course',
    onSuccess: ({ id: courseId }) => navigate(`/admin/courses/${courseId}`),
  });
  if (categories.length === 0) {
    return (
      <EmptyState
        title="No categories yet"
        text="Every course is in one category: it needs the first one before the first course."
        links={[{ href: '/admin/categories/new', text: 'Create the first category' }]}
      />
    );
  }
  return (
    <form className="area-form area-box" {...form.formProps}>
      <FormStatus form={form} />
      <TextField
        id={`${id}-name`}
        name="name"
        label="Name"
        hint="Its address is made of the name."
        defaultValue={name}
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
