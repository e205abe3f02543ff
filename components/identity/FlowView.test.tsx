import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import {
  BY_EMAIL,
  CHOOSING,
  forgetEverything,
  hostThatSays,
  NEW_PASSWORD,
  QUESTION,
  REGISTERING,
  refused,
  showAt,
  step,
  stepInput,
  transaction,
} from './factories';
import type { RegisterView as Register } from './RegisterView';
import type { VerifyView as Verify } from './VerifyView';

const left: string[] = [];
jest.doMock('../ui/useStyles', () => ({ useStyles: () => undefined }));
jest.doMock('../browser/leaving', () => ({
  leaveTo: (address: string) => left.push(address),
  copyText: async () => true,
}));
const { VerifyView } = jest.requireActual<{ VerifyView: typeof Verify }>('./VerifyView');
const { RegisterView } = jest.requireActual<{ RegisterView: typeof Register }>('./RegisterView');
const { forget } = jest.requireActual<typeof import('./flowActions')>('./flowActions');

const CODE_STEP = transaction({ steps: [BY_EMAIL, step({ name: 'skip', inputs: [] })], canResend: true });
const DONE = transaction({ status: 'SUCCESS', steps: [], redirect: '/cart' });

beforeEach(() => {
  act(forget);
  forgetEverything();
  left.length = 0;
});

afterEach(() => {
  jest.useRealTimers();
});

const verify = () => showAt('/verify', <VerifyView title="Verify that it is you" />);
const where = () => screen.getByTestId('where').textContent;

test('a right code signs in and leaves for where it was meant to end', async () => {
  const asked = hostThatSays({ '/auth/idx': [CODE_STEP], '/auth/idx/proceed': [DONE] });
  await verify();
  const code = screen.getByLabelText('Enter code');
  expect([code.getAttribute('autocomplete'), code.getAttribute('inputmode')]).toEqual([
    'one-time-code',
    'numeric',
  ]);
  await userEvent.type(code, '123 456');
  await userEvent.click(screen.getByRole('button', { name: 'Continue' }));
  expect(left).toEqual(['/cart']);
  expect(asked.at(-1)?.[1]).toEqual({ step: 'challenge-authenticator', values: { passcode: '123456' } });
});

test('a wrong code is told at its field, which has the focus', async () => {
  const wrong = { key: 'k', text: 'Invalid code. Try again.', kind: 'error', field: 'passcode' } as const;
  hostThatSays({ '/auth/idx': [CODE_STEP], '/auth/idx/proceed': [{ ...CODE_STEP, messages: [wrong] }] });
  await verify();
  await userEvent.type(screen.getByLabelText('Enter code'), '000000{Enter}');
  const code = screen.getByLabelText('Enter code');
  expect(code).toHaveAccessibleDescription('Invalid code. Try again.');
  expect(code).toHaveFocus();
});

test('a new step has the focus on its heading', async () => {
  hostThatSays({ '/auth/idx': [CODE_STEP], '/auth/idx/proceed': [transaction({ steps: [QUESTION] })] });
  await verify();
  await userEvent.click(screen.getByRole('button', { name: 'Skip for now' }));
  expect(screen.getByRole('heading', { name: 'Set up a security question' })).toHaveFocus();
});

test('a 503 leaves everything as it was and says so', async () => {
  const away = refused(503, 'Unknown error', {}, 5);
  hostThatSays({ '/auth/idx': [CODE_STEP], '/auth/idx/proceed': [away] });
  await verify();
  await userEvent.type(screen.getByLabelText('Enter code'), '123456{Enter}');
  expect(
    screen.getByText('Unknown error. Please try again in 5 seconds. Nothing you typed is lost.'),
  ).toBeVisible();
  expect(screen.getByLabelText('Enter code')).toHaveValue('123456');
});

test('without a transaction the page says so and leads to the start', async () => {
  hostThatSays({ '/auth/idx': [refused(404, 'No transaction to resume')] });
  await verify();
  expect(screen.getByText('No transaction to resume')).toBeVisible();
  expect(screen.getByRole('link', { name: 'Sign in' }).getAttribute('href')).toBe('/login');
});

test('one press chooses an authenticator; a phone asks for its number first', async () => {
  const asked = hostThatSays({
    '/auth/idx': [transaction({ steps: [CHOOSING] })],
    '/auth/idx/proceed': [CODE_STEP],
  });
  await verify();
  await userEvent.click(screen.getByRole('button', { name: /^Phone/ }));
  await userEvent.type(screen.getByLabelText(/^Phone number/), '+1 555 0100{Enter}');
  const values = { authenticator: 'p', phoneNumber: '+1 555 0100' };
  expect(asked.at(-1)?.[1]).toEqual({ step: 'select-authenticator-authenticate', values });
  expect(screen.getByRole('heading', { name: 'Check your e-mail' })).toBeVisible();
});

test('where no passkey can be used its choice is off and says why', async () => {
  hostThatSays({ '/auth/idx': [transaction({ steps: [CHOOSING] })] });
  await verify();
  const key = screen.getByRole('button', { name: /^Security Key or Biometric Not available here/ });
  expect(key).toBeDisabled();
});

test('a question of one’s own is sent with the words that belong to it alone', async () => {
  const asked = hostThatSays({
    '/auth/idx': [transaction({ steps: [QUESTION] })],
    '/auth/idx/proceed': [DONE],
  });
  await verify();
  await userEvent.click(screen.getByLabelText('Create my own security question'));
  await userEvent.type(screen.getByLabelText(/^Question/), 'Which ship?');
  await userEvent.type(screen.getByLabelText(/^Answer/), 'Beagle{Enter}');
  expect(asked.at(-1)?.[1]).toMatchObject({
    values: { credentials: 'own', questionKey: 'custom', question: 'Which ship?', answer: 'Beagle' },
  });
});

test('the rules of a new password are ticked off while it is typed', async () => {
  hostThatSays({ '/auth/idx': [transaction({ steps: [NEW_PASSWORD] })] });
  await showAt('/reset-password', <VerifyView title="Choose a new password" />);
  await userEvent.type(screen.getByLabelText(/^New password/), 'Correct1');
  const met = screen.getAllByRole('listitem').filter((rule) => rule.textContent?.endsWith(', fulfilled'));
  expect(met.map((rule) => rule.textContent)).toEqual([
    'At least 8 characters, fulfilled',
    'A small letter, fulfilled',
    'A capital letter, fulfilled',
    'A digit, fulfilled',
    'No part of your user name, fulfilled',
  ]);
});

test('each step stands on its own page', async () => {
  hostThatSays({ '/auth/idx': [transaction({ steps: [NEW_PASSWORD] })] });
  await verify();
  expect(where()).toBe('/reset-password');
});

test('what another page shows is not drawn before it is there: what is typed would go with this one', async () => {
  hostThatSays({ '/auth/idx': [transaction({ steps: [NEW_PASSWORD] })] });
  await verify();
  expect(screen.getByRole('heading').textContent).toBe('One moment…');
});

test('registration begins by itself, past the empty form before it', async () => {
  const before = transaction({
    flow: 'register',
    steps: [step({ name: 'select-enroll-profile', inputs: [] })],
  });
  const form = transaction({ flow: 'register', username: null, steps: [REGISTERING] });
  const asked = hostThatSays({ '/auth/idx/start': [before], '/auth/idx/proceed': [form] });
  await showAt('/register', <RegisterView />);
  expect(screen.getByLabelText(/^First name/).getAttribute('autocomplete')).toBe('given-name');
  expect(asked.map(([path]) => path)).toEqual(['/auth/idx/start', '/auth/idx/proceed']);
});

test('a registration that took too long begins anew with what was typed', async () => {
  const form = transaction({ flow: 'register', username: null, steps: [REGISTERING] });
  hostThatSays({ '/auth/idx/start': [form], '/auth/idx/proceed': [refused(410, 'The 30 minutes are over')] });
  await showAt('/register', <RegisterView />);
  await userEvent.type(screen.getByLabelText(/^First name/), 'Ada');
  await userEvent.type(screen.getByLabelText(/^Last name/), 'Lovelace');
  await userEvent.type(screen.getByLabelText(/^Email/), 'ada@example.test{Enter}');
  expect(await screen.findByText(/More than 30 minutes have passed/)).toBeVisible();
  expect(screen.getByLabelText(/^Last name/)).toHaveValue('Lovelace');
});

test('giving up leads to the sign-in, also without an answer', async () => {
  hostThatSays({ '/auth/idx': [CODE_STEP] });
  await verify();
  await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));
  await waitFor(() => expect(where()).toBe('/login?returnTo=%2Fcart'));
});

test('what is waited for is asked for again, as often as the host says', async () => {
  jest.useFakeTimers();
  const waiting = transaction({
    steps: [step({ name: 'challenge-poll', inputs: [], poll: { everyMs: 4000 } })],
    retryAfterMs: 4000,
  });
  const asked = hostThatSays({ '/auth/idx': [waiting], '/auth/idx/poll': [waiting, DONE] });
  await verify();
  await act(() => jest.advanceTimersByTimeAsync(3999));
  expect(asked).toHaveLength(1);
  await act(() => jest.advanceTimersByTimeAsync(4001));
  expect([asked.length, left]).toEqual([3, ['/cart']]);
});

test('without a network it is asked 5 times more, ever later, then a person has the say', async () => {
  jest.useFakeTimers();
  const waiting = transaction({ steps: [step({ name: 'challenge-poll', inputs: [] })], retryAfterMs: 500 });
  const asked = hostThatSays({ '/auth/idx': [waiting] });
  await verify();
  await act(() => jest.advanceTimersByTimeAsync(500 + 31_000));
  expect(asked.filter(([path]) => path === '/auth/idx/poll')).toHaveLength(6);
  expect(screen.getByRole('button', { name: 'Check again' })).toBeVisible();
});

test('an optional field that is empty is not sent, a ticked box is', async () => {
  const profile = step({
    name: 'enroll-profile',
    inputs: [
      stepInput({ name: 'nick', label: 'Nickname', required: false }),
      stepInput({ name: 'news', label: 'News', type: 'boolean', required: false }),
    ],
  });
  const asked = hostThatSays({
    '/auth/idx/start': [transaction({ flow: 'register', steps: [profile] })],
    '/auth/idx/proceed': [DONE],
  });
  await showAt('/register', <RegisterView />);
  await userEvent.click(screen.getByLabelText('News'));
  await userEvent.click(screen.getByRole('button', { name: 'Create account' }));
  expect(asked.at(-1)?.[1]).toEqual({ step: 'enroll-profile', values: { news: true } });
});
