import { deleteAccount } from '../../api/account';
import { refreshAuth } from '../../api/auth';
import { navigateTo } from '../../browser/navigation';
import { clearLogin } from '../../browser/storage/cookies';
import { BusyButton } from '../../forms/BusyButton';
import { TextField } from '../../forms/TextField';
import { errorsOf, textOf, useCallForm } from '../../forms/useCallForm';
import { Modal } from '../../ui/Modal';
import { SubmitError } from '../parts/SignInAgain';
import { useSubmit } from '../parts/useSubmit';

type DeleteAccountProps = { email: string; onClose: () => void };

/** Asks for the address again before it deletes the account. */
export function DeleteAccount({ email, onClose }: DeleteAccountProps) {
  const task = useSubmit();
  const { errors, formProps } = useCallForm({
    call: task,
    read: (data) => textOf(data, 'confirm'),
    check: (typed) =>
      errorsOf({ confirm: typed.toLowerCase() !== email.toLowerCase() && `Type ${email} to confirm.` }),
    send: (typed) =>
      task.run(async () => {
        const { redirect } = await deleteAccount(typed);
        clearLogin();
        refreshAuth();
        navigateTo(redirect);
      }),
  });

  return (
    <Modal className="confirm-dialog" labelledBy="delete-title" onClose={onClose}>
      <form className="confirm-dialog__body" {...formProps}>
        <h2 className="heading-m" id="delete-title">
          Delete your account?
        </h2>
        <p className="muted">
          Your courses, progress, certificates and wishlist go with it. Receipts that the law wants us to keep
          lose your name. Nobody can bring this back.
        </p>
        <SubmitError task={task} />
        <TextField
          id="delete-confirm"
          name="confirm"
          label={`Type ${email}`}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          required
          error={errors.confirm}
        />
        <div className="confirm-dialog__answers row">
          <button type="button" className="button button--quiet" onClick={onClose}>
            Keep my account
          </button>
          <BusyButton className="button button--danger" isBusy={task.isBusy} busy="Deleting…">
            Delete for good
          </BusyButton>
        </div>
      </form>
    </Modal>
  );
}
