import { useEffect, useState } from 'react';
import stepStyles from '../../../static/css/identity-steps.css?text';
import type { AuthenticatorData, Step, Transaction, Values } from '../../api/identity';
import { copyText } from '../../browser/navigation';
import { storedDrafts } from '../../browser/storage/formDrafts';
import { createPasskey, getPasskey, passkeyFailure } from '../../browser/webauthn';
import { plural } from '../../format/format';
import { FormError } from '../../forms/call/FormError';
import { Button } from '../../ui/controls/Button';
import { Icon } from '../../ui/Icon';
import { useStyles } from '../../ui/useStyles';
import { FlowNotice } from '../card/FlowNotice';
import { IdentityCard } from '../card/IdentityCard';
import { WaitingNote } from '../card/WaitingNote';
import { cancel, hiddenValues, proceed, resend } from '../flow/flowActions';
import type { FlowState } from '../flow/flowStore';
import { isVisible } from '../flow/inputs';
import { headingOfTransaction, placeText, skipOf, stepKey } from '../flow/stepTexts';
import { resumePolling, usePolling } from '../flow/usePolling';
import { AuthenticatorList, onlyChoice } from './AuthenticatorList';
import { ExpiryHint } from './ExpiryHint';
import { StepAlternatives } from './StepAlternatives';
import { StepForm, type StepFormProps } from './StepForm';
import { messagesFor, StepMessages } from './StepMessages';
import { usePasskeyProblem } from './usePasskeyProblem';

type FlowStepProps = { transaction: Transaction; flow: FlowState; waiting?: string };

/** The current step of a transaction and its alternatives. */
export function FlowStep({ transaction, flow, waiting }: FlowStepProps) {
  const key = stepKey(transaction);
  const [opened, setOpened] = useState<{ key: string; step: Step } | null>(null);
  usePolling(transaction, flow.isBusy || flow.hasStopped);
  const [first, ...others] = transaction.steps;
  // An opened alternative belongs to its step.
  const aside = opened?.key === key ? opened.step : null;
  const step = aside ?? first;
  if (!step) return null;
  const drafts = storedDrafts();
  const { title, text, submit } = headingOfTransaction(transaction, step, drafts.email);
  const skip = step.name === 'select-authenticator-enroll' && !aside ? skipOf(transaction) : undefined;
  // Whoever is on their way, to the checkout for example, goes on by the main button.
  const skipsFirst = skip !== undefined && transaction.returnTo !== '/';
  const skipButton = skip && (
    <Button
      isWide
      variant={skipsFirst ? 'main' : 'quiet'}
      isBusy={flow.isBusy}
      busyText="Please wait…"
      onClick={() => void proceed(skip, hiddenValues(skip))}
    >
      Skip for now
    </Button>
  );
  const name = aside ? `${key} ${aside.name}` : key;
  return (
    <IdentityCard title={title} text={text} place={placeText(transaction)} step={name}>
      <WaitingNote text={waiting} />
      <FlowNotice text={flow.notice} />
      <StepMessages messages={messagesFor(transaction.messages, step)} />
      <ExpiryHint expiresAt={transaction.expiresAt} />
      {skipsFirst && skipButton}
      {skipsFirst && <p className="identity__or">or add one now</p>}
      <StepBody
        key={name}
        transaction={transaction}
        step={step}
        submit={submit}
        isBusy={flow.isBusy}
        failure={flow.failure}
        drafts={drafts}
        hasStopped={flow.hasStopped}
        onSubmit={(values: Values) => proceed(step, values)}
      />
      {!aside && transaction.canResend && <ResendButton isBusy={flow.isBusy} onResend={resend} />}
      {!skipsFirst && skipButton}
      {aside && (
        <button type="button" className="text-button" onClick={() => setOpened(null)}>
          Back
        </button>
      )}
      <StepAlternatives
        steps={aside ? [] : others.filter((other) => other !== skip)}
        isBusy={flow.isBusy}
        canCancel={transaction.canCancel}
        onOpen={(step) => setOpened({ key, step })}
        onCancel={() => void cancel()}
      />
    </IdentityCard>
  );
}

/** The form for each kind of step; most are rendered from their inputs alone. */
export function StepBody({ hasStopped, ...form }: StepFormProps & { hasStopped: boolean }) {
  const { step } = form;
  useStyles(stepStyles);
  const data = step.authenticator?.data;
  const choice = onlyChoice(step);
  if (choice) return <AuthenticatorList {...form} choice={choice} />;
  if (data?.activation || data?.challenge) return <PasskeyStep {...form} />;
  const isPolled = step.poll !== null || form.transaction.retryAfterMs !== null;
  const isWaiting = isPolled && !step.inputs.some(isVisible);
  return (
    <>
      {(data?.qrcode || data?.secret) && <AuthenticatorSecret data={data} />}
      {data?.question && <p className="identity__question">{data.question}</p>}
      {isWaiting ? <PushPending step={step} hasStopped={hasStopped} /> : <StepForm {...form} />}
    </>
  );
}

type PushPendingProps = { step: Step; hasStopped: boolean };

/** Waits for an action on another device; the page polls for it. */
function PushPending({ step, hasStopped }: PushPendingProps) {
  const number = step.authenticator?.data?.correctAnswer;
  return (
    <div className="push-pending">
      {number !== undefined && (
        <p className="push-pending__number">
          <span className="muted">Choose this number in the app</span>
          <strong className="push-pending__digits">{number}</strong>
        </p>
      )}
      <div role="status">
        {hasStopped ? (
          <p className="form-news">
            <Icon name="warning" />
            <span>The connection was lost, so this page has stopped asking.</span>
          </p>
        ) : (
          <p className="push-pending__waiting">
            <span className="push-pending__ring ring" />
            Waiting for your phone…
          </p>
        )}
      </div>
      {hasStopped && (
        <button type="button" className="button button--wide" onClick={resumePolling}>
          Check again
        </button>
      )}
    </div>
  );
}

// Providers refuse to send codes more often.
const RETRY_AFTER_S = 30;

type ResendButtonProps = { isBusy: boolean; onResend: () => Promise<void> };

/** Sends the code again, once some time has passed in which it may still arrive. */
function ResendButton({ isBusy, onResend }: ResendButtonProps) {
  const [remainingS, setRemainingS] = useState(RETRY_AFTER_S);
  const [times, setTimes] = useState(0);

  useEffect(() => {
    if (remainingS === 0) return;
    const timer = setTimeout(() => setRemainingS(remainingS - 1), 1000);
    return () => clearTimeout(timer);
  }, [remainingS]);

  async function again() {
    if (isBusy || remainingS > 0) return;
    await onResend();
    setTimes(times + 1);
    setRemainingS(RETRY_AFTER_S);
  }

  return (
    <p className="hint">
      <span>{remainingS > 0 ? 'Nothing there yet?' : 'Look into the spam folder, too.'}</span>{' '}
      <button
        type="button"
        className="text-button"
        aria-disabled={remainingS > 0 || isBusy}
        onClick={() => void again()}
      >
        {remainingS > 0
          ? `Send it again in ${remainingS} ${plural(remainingS, 'second', 'seconds')}`
          : 'Send it again'}
      </button>
      <span className="sr-only" role="status">
        {times > 0 ? 'It was sent again. Earlier codes have expired.' : ''}
      </span>
    </p>
  );
}

/** The QR code that the app scans, and its secret as text. */
function AuthenticatorSecret({ data }: { data: AuthenticatorData }) {
  return (
    <div className="authenticator-secret stack">
      {data.qrcode && (
        <img
          className="authenticator-secret__picture"
          src={data.qrcode}
          width={200}
          height={200}
          alt="QR code to scan with the app"
        />
      )}
      {data.secret && <SecretText secret={data.secret} />}
    </div>
  );
}

function SecretText({ secret }: { secret: string }) {
  const [status, setStatus] = useState('');

  async function copy() {
    setStatus((await copyText(secret)) ? 'Copied' : 'Select the key and copy it by hand.');
  }

  return (
    <div className="authenticator-secret__text">
      <p className="field__hint hint">Cannot scan it? Type this key into the app:</p>
      <div className="authenticator-secret__row row">
        <code className="authenticator-secret__key">{secret.replace(/(.{4})(?=.)/g, '$1 ')}</code>
        <button type="button" className="text-button" onClick={() => void copy()}>
          <Icon name="copy" />
          Copy key
        </button>
      </div>
      <p className="authenticator-secret__status" role="status">
        {status}
      </p>
    </div>
  );
}

/** A passkey or security key: the browser's response fills the step's hidden inputs. */
function PasskeyStep({ step, submit, isBusy, failure, onSubmit }: StepFormProps) {
  const [problem, setProblem] = useState('');
  const [isWaiting, setIsWaiting] = useState(false);
  const unavailable = usePasskeyProblem(true);
  const data = step.authenticator?.data;

  async function submitPasskey() {
    if (isBusy || isWaiting) return;
    setProblem('');
    setIsWaiting(true);
    try {
      const response = data?.activation
        ? await createPasskey(data.activation)
        : await getPasskey(data?.challenge ?? {});
      await onSubmit({ ...hiddenValues(step), ...response });
    } catch (cause) {
      setProblem(passkeyFailure(cause));
    } finally {
      setIsWaiting(false);
    }
  }

  return (
    <div className="identity__form stack" aria-busy={isBusy || isWaiting}>
      <FormError text={problem || failure?.text || ''} />
      <div className="identity__picture">
        <Icon name="shield" />
      </div>
      {unavailable && <p className="muted">{unavailable}</p>}
      <button
        type="button"
        className="button button--wide"
        disabled={unavailable !== null}
        aria-disabled={isBusy || isWaiting}
        onClick={() => void submitPasskey()}
      >
        {isWaiting ? 'The browser is asking…' : submit}
      </button>
    </div>
  );
}
