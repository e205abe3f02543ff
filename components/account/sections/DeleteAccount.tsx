import { type FormEvent, useState } from 'react';
import { deleteAccount } from '../api/account';
import { refreshAuth } from '../api/auth';
import { clearLogin } from '../browser/cookies';
import { leaveTo } from '../browser/leaving';
import { Field } from '../ui/Field';
import { useFirstError } from '../ui/FormProblem';
import { Modal } from '../ui/Modal';
import { TaskProblem } from './SignInAgain';
import { useTask } from './useTask';

type DeleteAccountProps = { email: string; onClose: () => void };

/** Typing the address is the second thought. */
export function DeleteAccount({ email, onClose }: DeleteAccountProps) {
  const task = useTask();
  const [wrong, setWrong] = useState('');
  const [misses, setMisses] = useState(0);
  const form = useFirstError(task.tries + misses);

  async function go(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const typed = String(new FormData(event.currentTarget).get('confirm') ?? '').trim();
    const isRight = typed.toLowerCase() === email.toLowerCase();
    setWrong(isRight ? '' : `Type ${email} to confirm.`);
    if (!isRight) return setMisses(misses + 1);
    await task.run(async () => {
      const { redirect } = await deleteAccount(typed);
      clearLogin();
      refreshAuth();
      leaveTo(redirect);
    });
  }

  return (
    <Modal className="question" labelledBy="delete-title" onClose={onClose}>
      <form
        ref={form}
        className="question__body"
        noValidate
        onSubmit={(event) => void go(event)}
        aria-busy={task.isBusy}
      >
        <h2 className="question__title" id="delete-title">
          Delete your account?
        </h2>
        <p className="question__text">
          Your courses, progress, certificates and wishlist go with it. Receipts that the law wants us to keep
          lose your name. Nobody can bring this back.
        </p>
        <TaskProblem task={task} />
        <Field
          id="delete-confirm"
          name="confirm"
          label={`Type ${email}`}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          required
          error={wrong || task.errors.confirm}
        />
        <div className="question__answers">
          <button type="button" className="button button--quiet" onClick={onClose}>
            Keep my account
          </button>
          <button type="submit" className="button button--danger" aria-disabled={task.isBusy}>
            {task.isBusy ? 'Deleting…' : 'Delete for good'}
          </button>
        </div>
      </form>
    </Modal>
  );
}
