import { FormError } from '../forms/call/FormError';
import type { Call } from '../forms/call/useCall';
import { Button } from '../ui/controls/Button';
import { Notice } from '../ui/Notice';

type PasswordExpiresProps = {
  call: Call;
  onContinue: () => Promise<void>;
  onChange: () => Promise<void>;
};

/** The password was right and will expire soon: the sign-in goes on now, to the page asked for or to the profile. */
export function PasswordExpires({ call, onContinue, onChange }: PasswordExpiresProps) {
  return (
    <div className="identity__form stack" aria-busy={call.isBusy}>
      <FormError text={call.text} />
      <Notice kind="warning" title="Your password expires soon">
        <p>You can go on now. Change it in your profile before it ends, then nothing stops you next time.</p>
      </Notice>
      <div className="identity__buttons">
        <Button isWide isBusy={call.isBusy} busyText="Signing in…" onClick={() => void call.run(onContinue)}>
          Continue
        </Button>
        <Button isWide variant="quiet" isDisabled={call.isBusy} onClick={() => void call.run(onChange)}>
          Change the password
        </Button>
      </div>
    </div>
  );
}
