import type { AuthenticatorKind, Step, Transaction } from '../../api/identity';

export type Heading = { title: string; text: string; submit: string };

type Entry = { title: string; text?: string; submit?: string };

const BY_NAME: Record<string, Entry> = {
  identify: { title: 'Sign in', submit: 'Continue' },
  'identify-recovery': {
    title: 'Find your account',
    text: 'We send you a way back in, if there is an account under this name.',
  },
  'select-identify': { title: 'Sign in' },
  'select-enroll-profile': { title: 'Create your account' },
  'enroll-profile': {
    title: 'Create your account',
    text: 'One account for your courses, certificates and orders.',
    submit: 'Create account',
  },
  'enroll-profile-update': { title: 'A few more details' },
  'select-authenticator-authenticate': {
    title: 'How shall we verify that it is you?',
    text: 'Choose what is at hand.',
  },
  'select-authenticator-enroll': {
    title: 'Protect your account',
    text: 'Choose what to begin with. If more is needed, it comes next.',
  },
  'select-authenticator-unlock-account': {
    title: 'Unlock your account',
    text: 'Too many wrong passwords have locked it. Choose where we send a code.',
    submit: 'Send the code',
  },
  'unlock-account': { title: 'Unlock your account' },
  'authenticator-verification-data': { title: 'Verify that it is you', submit: 'Send the code' },
  'authenticator-enrollment-data': { title: 'Set up your phone', submit: 'Send the code' },
  'select-enrollment-channel': {
    title: 'Set up the app',
    text: 'How do you want to receive the setup link?',
  },
  'enrollment-channel-data': { title: 'Set up the app', submit: 'Send the link' },
  'reset-authenticator': { title: 'Choose a new password', submit: 'Save password' },
  'reenroll-authenticator': {
    title: 'Your password has expired',
    text: 'Choose a new one to go on.',
    submit: 'Save password',
  },
  'reenroll-authenticator-warning': {
    title: 'Your password expires soon',
    text: 'Choose a new one now, or do it later.',
    submit: 'Save password',
  },
  'enroll-poll': { title: 'Set up the app', text: 'Scan the picture with the app on your phone.' },
  'challenge-poll': { title: 'Check your phone', text: 'Approve the sign-in in the app.' },
  'redirect-idp': { title: 'Sign in with another account' },
};

const TO_ENROLL: Record<AuthenticatorKind, Entry> = {
  password: { title: 'Choose a password', submit: 'Save password' },
  email: { title: 'Confirm your email', text: 'Enter the code that we sent to {contact}.' },
  phone: { title: 'Confirm your phone', text: 'Enter the code that we sent to {contact}.' },
  app: {
    title: 'Set up your authenticator app',
    text: 'Scan the picture with the app, then enter the code it shows.',
  },
  question: { title: 'Set up a security question', submit: 'Save question' },
  verify: { title: 'Set up the app', text: 'Scan the picture with the app on your phone.' },
  webauthn: {
    title: 'Add a passkey',
    text: 'Your fingerprint, face, screen lock or a security key. The browser asks you for it.',
    submit: 'Add a passkey',
  },
};

const TO_VERIFY: Record<AuthenticatorKind, Entry> = {
  password: { title: 'Enter your password' },
  email: {
    title: 'Check your email',
    text: 'We sent a message to {contact}. Enter its code, or open its link in this browser.',
  },
  phone: { title: 'Check your phone', text: 'Enter the code that we sent to {contact}.' },
  app: { title: 'Open your authenticator app', text: 'Enter the code that it shows now.' },
  question: { title: 'Answer your security question' },
  verify: { title: 'Check your phone', text: 'Enter the code that the app shows.' },
  webauthn: {
    title: 'Use your passkey',
    text: 'The browser asks for your fingerprint, face, screen lock or security key.',
    submit: 'Use my passkey',
  },
};

const OPTIONAL: Heading = {
  title: 'Add another way to sign in',
  text: 'Your account is ready. You can add one of these now, or leave it.',
  submit: 'Continue',
};

const LIST = 'select-authenticator-enroll';

/** The step that goes on without setting up more; undefined: something must still be set up. */
export function skipOf({ steps }: Transaction): Step | undefined {
  const hasList = steps.some(({ name }) => name === LIST);
  return hasList ? steps.find(({ name }) => name === 'skip') : undefined;
}

/** `email`: what was typed in the registration, whose code goes there: a slip in it shows. */
export function headingOfTransaction(transaction: Transaction, step: Step, email = ''): Heading {
  const isOwn = transaction.flow === 'register' && step.authenticator?.kind === 'email';
  return step.name === LIST && skipOf(transaction) ? OPTIONAL : headingOf(step, isOwn ? email : '');
}

/** "Step 2 of 3. Next: Email" of a registration; "Optional"; "" for steps that are not counted. */
export function placeText(transaction: Transaction): string {
  const { place, steps } = transaction;
  if (skipOf(transaction)) return 'Optional';
  if (!place) return '';
  const [step, ...others] = steps;
  const list = others.find(({ name }) => name === LIST);
  const options = list?.inputs.flatMap((input) => input.options ?? []) ?? [];
  const next = step?.authenticator && options.find(({ kind }) => kind !== step.authenticator?.kind);
  return `Step ${place.step} of ${place.of}${next ? `. Next: ${next.label}` : ''}`;
}

/** Title, text and button of a step. `{contact}` is where a code was sent, as the provider says, else `known`. */
export function headingOf(step: Step, known = ''): Heading {
  const entry = entryOf(step);
  const contact = step.authenticator?.data?.contact || known || 'you';
  return {
    title: entry.title,
    text: (entry.text ?? '').replace('{contact}', contact),
    submit: entry.submit ?? 'Continue',
  };
}

function entryOf({ name, authenticator }: Step): Entry {
  if (authenticator && name === 'enroll-authenticator') return TO_ENROLL[authenticator.kind];
  if (authenticator && name === 'challenge-authenticator') return TO_VERIFY[authenticator.kind];
  return BY_NAME[name] ?? (authenticator ? TO_VERIFY[authenticator.kind] : { title: 'One more step' });
}

const ALTERNATIVES: Record<string, string> = {
  skip: 'Skip for now',
  recover: 'Forgot your password?',
  'select-authenticator-authenticate': 'Verify in another way',
  'select-authenticator-enroll': 'Choose something else',
  'select-authenticator-unlock-account': 'Send the code elsewhere',
  'unlock-account': 'Unlock my account',
  'select-enroll-profile': 'Create an account',
  'select-identify': 'Sign in instead',
  'select-enrollment-channel': 'Set it up in another way',
};

export function alternativeText({ name, label, authenticator }: Step): string {
  if (name === 'redirect-idp') return `Continue with ${label || 'another account'}`;
  return ALTERNATIVES[name] ?? authenticator?.label ?? 'Another way';
}

/** Transactions with the same key show the same step: typed text stays. */
export function stepKey({ status, flow, steps }: Transaction): string {
  const [step] = steps;
  return [status, flow, step?.name, step?.authenticator?.kind, step?.authenticator?.label].join(' ');
}

/** The page for the transaction's step; null: any page. */
export function pageOf(transaction: Transaction): string | null {
  const [step] = transaction.steps;
  if (transaction.status !== 'PENDING' || !step) return null;
  if (step.name === 'enroll-profile' || step.name === 'select-enroll-profile') return '/register';
  if (step.name === 'identify-recovery' || step.name === 'select-authenticator-unlock-account')
    return transaction.area === 'organisation' ? '/organization-forgot' : '/forgot';
  if (/^re(?:set|enroll)-authenticator/.test(step.name)) return '/reset-password';
  const isFirstPassword = step.name === 'enroll-authenticator' && step.authenticator?.kind === 'password';
  return isFirstPassword ? '/create-password' : '/verify';
}
