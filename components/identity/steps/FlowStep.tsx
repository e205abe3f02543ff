import { useState } from 'react';
import type { Step, Transaction, Values } from '../api/identity';
import { typedFields } from '../browser/typed';
import { AppSecret } from './AppSecret';
import { AuthenticatorList, soleChoice } from './AuthenticatorList';
import { ExpiryHint } from './ExpiryHint';
import { FlowNotice } from './FlowNotice';
import { cancel, proceed, resend } from './flowActions';
import type { FlowState } from './flowStore';
import { IdentityCard } from './IdentityCard';
import { isVisible } from './inputs';
import { KeyStep } from './KeyStep';
import { PushWaiting } from './PushWaiting';
import { ResendButton } from './ResendButton';
import { StepForm, type StepFormProps } from './StepForm';
import { placed, StepMessages } from './StepMessages';
import { headingOf, stepKey } from './stepTexts';
import { usePolling } from './usePolling';
import { WaysOut } from './WaysOut';

type FlowStepProps = { transaction: Transaction; flow: FlowState };

/** The step at which a running transaction stands, and the ways out of it. */
export function FlowStep({ transaction, flow }: FlowStepProps) {
  const key = stepKey(transaction);
  const [opened, setOpened] = useState<{ key: string; step: Step } | null>(null);
  usePolling(transaction, flow.isBusy || flow.hasStopped);
  const [first, ...others] = transaction.steps;
  // What was opened belongs to the step it was opened from.
  const aside = opened?.key === key ? opened.step : null;
  const step = aside ?? first;
  if (!step) return null;
  const { title, text, submit } = headingOf(step);
  const name = aside ? `${key} ${aside.name}` : key;
  return (
    <IdentityCard title={title} text={text} step={name}>
      <FlowNotice text={flow.notice} />
      <StepMessages messages={placed(transaction.messages, step)} />
      <ExpiryHint expiresAt={transaction.expiresAt} />
      <StepBody
        key={name}
        transaction={transaction}
        step={step}
        submit={submit}
        isBusy={flow.isBusy}
        failure={flow.failure}
        known={typedFields()}
        hasStopped={flow.hasStopped}
        onSubmit={(values: Values) => proceed(step, values)}
      />
      {!aside && transaction.canResend && <ResendButton isBusy={flow.isBusy} onResend={resend} />}
      {aside && (
        <button type="button" className="text-button" onClick={() => setOpened(null)}>
          Back
        </button>
      )}
      <WaysOut
        steps={aside ? [] : others}
        isBusy={flow.isBusy}
        canCancel={transaction.canCancel}
        onOpen={(step) => setOpened({ key, step })}
        onCancel={() => void cancel()}
      />
    </IdentityCard>
  );
}

/** Each kind of step in its own form; most are drawn from their inputs alone. */
export function StepBody({ hasStopped, ...form }: StepFormProps & { hasStopped: boolean }) {
  const { step } = form;
  const data = step.authenticator?.data;
  const choice = soleChoice(step);
  if (choice) return <AuthenticatorList {...form} choice={choice} />;
  if (data?.activation || data?.challenge) return <KeyStep {...form} />;
  const isPolled = step.poll !== null || form.transaction.retryAfterMs !== null;
  const isWaiting = isPolled && !step.inputs.some(isVisible);
  return (
    <>
      {(data?.qrcode || data?.secret) && <AppSecret data={data} />}
      {data?.question && <p className="identity__question">{data.question}</p>}
      {isWaiting ? <PushWaiting step={step} hasStopped={hasStopped} /> : <StepForm {...form} />}
    </>
  );
}
