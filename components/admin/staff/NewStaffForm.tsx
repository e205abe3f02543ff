import { useId } from 'react';
import { useNavigate } from 'react-router-dom';
import { addStaff } from '../../api/admin/staff';
import type { NewStaffProps } from '../../contracts/schema';
import { FormStatus } from '../../forms/call/FormStatus';
import { errorsOf, textOf } from '../../forms/call/formValues';
import { useCallForm } from '../../forms/call/useCallForm';
import { SelectField } from '../../forms/SelectField';
import { TextField } from '../../forms/TextField';
import { Button } from '../../ui/controls/Button';

/** Gives somebody their first role, by their student number. */
export function NewStaffForm({ roles }: Pick<NewStaffProps, 'roles'>) {
  const id = useId();
  const navigate = useNavigate();
  const form = useCallForm(addStaff, {
    read: (data) => ({
      studentNumber: textOf(data, 'studentNumber'),
      role: textOf(data, 'role'),
      reason: textOf(data, 'reason'),
    }),
    check: ({ studentNumber, role, reason }) =>
      errorsOf({
        studentNumber: !studentNumber && 'Enter the student number.',
        role: !role && 'Choose a role.',
        reason: !reason && 'Say why, for the record.',
      }),
    draft: 'new-staff',
    onSuccess: ({ learnerId }) => navigate(`/admin/staff/${learnerId}`),
  });
  return (
    <form className="area-form area-box" {...form.formProps}>
      <FormStatus form={form} />
      <TextField
        id={`${id}-number`}
        name="studentNumber"
        label="Student number"
        hint="It is on their page “Profile”, such as S-7KQ2-M9XD. They must have signed in once."
        autoCapitalize="characters"
        autoComplete="off"
        spellCheck={false}
        maxLength={40}
        required
        error={form.errors.studentNumber}
      />
      <SelectField
        id={`${id}-role`}
        name="role"
        label="Role"
        options={roles}
        required
        error={form.errors.role}
      />
      <TextField
        id={`${id}-reason`}
        name="reason"
        label="Reason"
        hint="It is recorded for good. Name nobody in it."
        maxLength={500}
        required
        error={form.errors.reason}
      />
      <Button isBusy={form.isBusy} busyText="Saving…">
        Give role
      </Button>
    </form>
  );
}
