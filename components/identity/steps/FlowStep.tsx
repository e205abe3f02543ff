import { useState } from 'react';
import type { Step, Transaction, Values } from '../../api/identity';
import { storedDrafts } from '../../browser/storage/formDrafts';
import { Button } from '../../ui/controls/Button';
import { FlowNotice } from '../card/FlowNotice';
import { IdentityCard } from '../card/IdentityCard';
import { cancel, hiddenValues, proceed, resend } from '../flow/flowActions';
import type { FlowState } from '../flow/flowStore';
import { isVisible } from '../flow/inputs';
import { headingOfTransaction, placeText, skipOf, stepKey } from '../flow/stepTexts';
import { usePolling } from '../flow/usePolling';
import { AuthenticatorList, onlyChoice } from './AuthenticatorList';
import { AuthenticatorSecret } from './AuthenticatorSecret';
import { ExpiryHint } from './ExpiryHint';
import { PasskeyStep } from './PasskeyStep';
import { PushPending } from './PushPending';
import { ResendButton } from './ResendButton';
import { StepAlternatives } from './StepAlternatives';
import { StepForm, type StepFormProps } from './StepForm';
import { messagesFor, StepMessages } from './StepMessages';

type FlowStepProps = { transaction: Transaction; flow: FlowState };

/** The current step of a transaction and its alternatives. */
export function FlowStep({ transaction, flow }: FlowStepProps) {
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
