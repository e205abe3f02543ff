import { deleteAccount } from '../../api/account/account';
import { endSignIn } from '../../api/session/endSignIn';
import { navigateTo } from '../../browser/navigation';
import { CheckboxField } from '../../forms/CheckboxField';
import { FormStatus } from '../../forms/call/FormStatus';
import { errorsOf, textOf } from '../../forms/call/formValues';
import { useCallForm } from '../../forms/call/useCallForm';
import { TextField } from '../../forms/TextField';
import { isolated } from '../../model/isolated';
import { Button } from '../../ui/controls/Button';
import { Modal } from '../../ui/Modal';

type DeleteAccountProps = { email: string; onClose: () => void };

/** Asks for the address again before it deletes the account, if it has one. */
export function DeleteAccount({ email, onClose }: DeleteAccountProps) {
  const form = useCallForm(deleteAccount, {
    read: (data) => ({
      confirm: textOf(data, 'confirm'),
      keepCertificates: data.get('keepCertificates') !== null,
    }),
    check: ({ confirm }) =>
      errorsOf({
        confirm: confirm.toLowerCase() !== email.toLowerCase() && `Type ${isolated(email)} to confirm.`,
      }),
    onSuccess: ({ redirect }) => {
      endSignIn();
      navigateTo(redirect);
    },
  });

  return (
    <Modal className="confirm-dialog" labelledBy="delete-title" onClose={onClose}>
      <form className="confirm-dialog__body" {...form.formProps}>
        <h2 className="heading-m" id="delete-title">
          Delete your account?
        </h2>
        <p className="muted">
          Your courses, progress, notes and wishlist go with it. Your reviews lose your name. Receipts keep it
          for as long as the law wants us to keep them. Nobody can bring this back.
        </p>
        <FormStatus form={form} />
        <CheckboxField
          id="delete-keep-certificates"
          name="keepCertificates"
          label="Keep my certificates valid"
          hint="Whoever has their link can still check them, with your name. Download their PDFs first: afterwards nobody can. If you leave this empty, they are revoked and lose your name."
        />
        {email && (
          <TextField
            id="delete-confirm"
            name="confirm"
            label={`Type ${email}`}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            required
            error={form.errors.confirm}
          />
        )}
        <div className="confirm-dialog__answers row">
          <Button variant="quiet" onClick={onClose}>
            Keep my account
          </Button>
          <Button variant="danger" isBusy={form.isBusy} busyText="Deleting…">
            Delete for good
          </Button>
        </div>
      </form>
    </Modal>
  );
}
