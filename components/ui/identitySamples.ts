import type { Email, OwnSession, Phone, Profile } from '../api/account';
import type { Step, StepInput, StepOption, Transaction } from '../api/identity';

/** Transactions and account data for the component page and the tests; each takes what its caller is about. */
export function stepInput(given: Partial<StepInput> = {}): StepInput {
  return {
    name: 'firstName',
    label: 'First name',
    type: 'text',
    required: true,
    value: null,
    minLength: null,
    maxLength: null,
    autocomplete: null,
    options: null,
    ...given,
  };
}

export const CODE = stepInput({ name: 'passcode', label: 'Enter code', type: 'code', maxLength: 6 });
export const HIDDEN = { type: 'hidden' as const, label: '' };

export function step(given: Partial<Step> = {}): Step {
  return {
    name: 'challenge-authenticator',
    inputs: [CODE],
    authenticator: null,
    poll: null,
    href: null,
    ...given,
  };
}

export function transaction(given: Partial<Transaction> = {}): Transaction {
  return {
    status: 'PENDING',
    flow: 'authenticate',
    area: 'learner',
    returnTo: '/cart',
    username: 'ada@example.test',
    steps: [step()],
    messages: [],
    canCancel: true,
    canResend: false,
    redirect: null,
    retryAfterMs: null,
    expiresAt: '2099-01-01T00:00:00Z',
    ...given,
  };
}

export const BY_EMAIL = step({
  authenticator: { kind: 'email', label: 'Email', data: { contact: 'a***@example.test' } },
});

export const REGISTERING = step({
  name: 'enroll-profile',
  inputs: [
    stepInput({ autocomplete: 'given-name' }),
    stepInput({ name: 'lastName', label: 'Last name', autocomplete: 'family-name' }),
    stepInput({ name: 'email', label: 'Email', type: 'email', autocomplete: 'email' }),
  ],
});

export const NEW_PASSWORD = step({
  name: 'reset-authenticator',
  inputs: [
    stepInput({ name: 'passcode', label: 'New password', type: 'password', autocomplete: 'new-password' }),
    stepInput({ name: 'revokeSessions', label: 'Sign me out elsewhere', type: 'boolean', required: false }),
  ],
  authenticator: {
    kind: 'password',
    label: 'Password',
    data: {
      rules: { minLength: 8, lowercase: 1, uppercase: 1, number: 1, symbol: 0, excludeUsername: true },
    },
  },
});

function option(value: string, label: string, kind: StepOption['kind'] = null): StepOption {
  return { value, label, kind, inputs: [] };
}

export const CHOOSING = step({
  name: 'select-authenticator-authenticate',
  inputs: [
    stepInput({
      name: 'authenticator',
      label: 'Authenticator',
      type: 'choice',
      options: [
        option('e', 'Email', 'email'),
        {
          ...option('p', 'Phone', 'phone'),
          inputs: [
            stepInput({ name: 'phoneNumber', label: 'Phone number', type: 'tel', autocomplete: 'tel' }),
          ],
        },
        option('a', 'Google Authenticator', 'app'),
        option('q', 'Security Question', 'question'),
        option('v', 'Okta Verify', 'verify'),
        option('w', 'Security Key or Biometric', 'webauthn'),
      ],
    }),
  ],
});

export const QUESTION = step({
  name: 'enroll-authenticator',
  authenticator: { kind: 'question', label: 'Security Question', data: null },
  inputs: [
    stepInput({
      name: 'credentials',
      label: 'Which question?',
      type: 'choice',
      options: [
        {
          ...option('choose', 'Choose a security question'),
          inputs: [
            stepInput({
              name: 'questionKey',
              label: 'Question',
              type: 'choice',
              options: ['food', 'pet', 'city', 'toy', 'street'].map((key) =>
                option(key, `What was your first ${key}?`),
              ),
            }),
            stepInput({ name: 'answer', label: 'Answer', type: 'password', autocomplete: 'off' }),
          ],
        },
        {
          ...option('own', 'Create my own security question'),
          inputs: [
            stepInput({ ...HIDDEN, name: 'questionKey', value: 'custom' }),
            stepInput({ name: 'question', label: 'Question' }),
            stepInput({ name: 'answer', label: 'Answer', type: 'password', autocomplete: 'off' }),
          ],
        },
      ],
    }),
  ],
});

export function profile(given: Partial<Profile['profile']> = {}): Profile {
  const attribute = { required: true, isReadOnly: false, minLength: 1, maxLength: 50 };
  return {
    profile: { login: 'ada@example.test', firstName: 'Ada', lastName: 'Lovelace', nickName: null, ...given },
    attributes: [
      { ...attribute, name: 'login', title: 'Username', isReadOnly: true },
      { ...attribute, name: 'firstName', title: 'First name' },
      { ...attribute, name: 'lastName', title: 'Last name' },
      { ...attribute, name: 'nickName', title: 'Nickname', required: false },
    ],
  };
}

export const EMAILS: Email[] = [
  { id: 'e1', email: 'ada@example.test', isPrimary: true, isVerified: true },
  { id: 'e2', email: 'ada@home.test', isPrimary: false, isVerified: true },
  { id: 'e3', email: 'ada@new.test', isPrimary: false, isVerified: false },
];

export const PHONES: Phone[] = [{ id: 'p1', number: '+1 555 0100', isVerified: false }];

export function ownSession(given: Partial<OwnSession> = {}): OwnSession {
  return {
    id: 's1',
    isThis: true,
    area: 'learner',
    browser: 'Chromium on Linux',
    createdAt: '2026-11-20T09:05:00Z',
    expiresAt: '2026-11-20T09:50:00Z',
    ...given,
  };
}
