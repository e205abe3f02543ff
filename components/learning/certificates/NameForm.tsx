import { putCertificateName } from '../../api/learning/certificates';
import { useRefresh } from '../../api/session/privatePage';
import { FormStatus } from '../../forms/call/FormStatus';
import { errorsOf, textOf } from '../../forms/call/formValues';
import { useCallForm } from '../../forms/call/useCallForm';
import { TextField } from '../../forms/TextField';
import { Button } from '../../ui/controls/Button';

export type NameFormProps = { courseId: number; name?: string; button: string };

/** The name on a certificate: once issued, it follows no change of the account. */
export function NameForm({ courseId, name = '', button }: NameFormProps) {
  const refresh = useRefresh();
  const form = useCallForm((typed: string) => putCertificateName(courseId, typed), {
    read: (data) => textOf(data, 'name'),
    check: (typed) => errorsOf({ name: !typed.trim() && 'Enter the name that the certificate shall carry.' }),
    onSuccess: () => {
      refresh().catch(() => undefined);
    },
  });
  return (
    <form className="certificate-name" {...form.formProps}>
      <FormStatus form={form} />
      <TextField
        id={`certificate-name-${courseId}`}
        name="name"
        label="Full name"
        defaultValue={name}
        autoComplete="name"
        maxLength={120}
        required
        error={form.errors.name}
      />
      <Button variant="quiet" isBusy={form.isBusy} busyText="Saving…">
        {button}
      </Button>
    </form>
  );
}
