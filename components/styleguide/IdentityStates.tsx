import type { Step, Transaction } from '../api/identity';
import {
  BY_EMAIL,
  CHOOSING,
  NEW_PASSWORD,
  QUESTION,
  REGISTERING,
  step,
  stepInput,
  transaction,
} from '../fixtures/identity';
import { IdentityCard } from '../identity/card/IdentityCard';
import type { Failure } from '../identity/flow/flowStore';
import { headingOf } from '../identity/flow/stepTexts';
import { ExpiryHint } from '../identity/steps/ExpiryHint';
import { StepBody } from '../identity/steps/FlowStep';
import { StepMessages } from '../identity/steps/StepMessages';
import { Group, State } from './guide/Guide';
import { SENTENCE, UNBROKEN, WORDY } from './guide/texts';

const noop = async () => undefined;
const WRONG: Failure = {
  text: 'Too many tries. Please try again in 30 seconds.',
  errors: { firstName: 'First name is required.', email: `${UNBROKEN} is taken already.` },
};
const SQUARES =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 7 7'%3E%3Cpath d='M0 0h3v3H0zM4 0h3v3H4zM0 4h3v3H0zM4 4h1v1H4zM6 5h1v2H6z'/%3E%3C/svg%3E";
const APP = step({
  name: 'enroll-authenticator',
  authenticator: {
    kind: 'app',
    label: 'App',
    data: { qrcode: SQUARES, secret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP' },
  },
});
const PUSH = step({
  name: 'challenge-poll',
  inputs: [],
  poll: { everyMs: 4000 },
  authenticator: { kind: 'verify', label: 'App', data: { correctAnswer: 42 } },
});
const KEY = step({
  authenticator: { kind: 'webauthn', label: 'Key', data: { challenge: { challenge: 'AAAA' } } },
  inputs: [],
});
const ASKED = step({
  authenticator: { kind: 'question', label: 'Question', data: { question: WORDY } },
  inputs: [stepInput({ name: 'answer', label: 'Answer', type: 'password', autocomplete: 'off' })],
});

const STATES: [label: string, step: Step, failure?: Failure, hasStopped?: boolean][] = [
  ['Registering', REGISTERING],
  ['Refused: as a whole and at the fields', REGISTERING, WRONG],
  ['A code by mail', BY_EMAIL],
  ['A new password with its rules', NEW_PASSWORD],
  ['The choice of authenticators', CHOOSING],
  ['An authenticator app', APP],
  ['A security question to set up', QUESTION],
  ['A security question to answer', ASKED],
  ['An approval on the phone', PUSH],
  ['The connection was lost meanwhile', PUSH, undefined, true],
  ['A passkey', KEY],
];

/** Each kind of step of a running transaction. */
export function IdentityStates() {
  return (
    <Group id="identity" title="Identity">
      <div className="guide__boxes">
        {STATES.map(([label, step, failure = null, hasStopped = false]) => (
          <State key={label} label={label} ground="bare">
            <StepState step={step} failure={failure} hasStopped={hasStopped} />
          </State>
        ))}
        <State label="What the provider says; the time is nearly over" ground="bare">
          <IdentityCard heading="h3" title={UNBROKEN} text={SENTENCE}>
            <StepMessages
              messages={[
                { key: 'a', text: UNBROKEN, kind: 'error', field: null },
                { key: 'b', text: SENTENCE, kind: 'warning', field: null },
                { key: 'c', text: SENTENCE, kind: 'info', field: null },
              ]}
            />
            <ExpiryHint expiresAt="2020-01-01T00:00:00Z" />
          </IdentityCard>
        </State>
      </div>
    </Group>
  );
}

type StepStateProps = { step: Step; failure: Failure | null; hasStopped: boolean };

function StepState({ step, failure, hasStopped }: StepStateProps) {
  const state: Transaction = transaction({ steps: [step] });
  const { title, text, submit } = headingOf(step);
  return (
    <IdentityCard heading="h3" title={title} text={text}>
      <StepBody
        transaction={state}
        step={step}
        submit={submit}
        isBusy={false}
        failure={failure}
        drafts={{}}
        hasStopped={hasStopped}
        onSubmit={noop}
      />
    </IdentityCard>
  );
}
