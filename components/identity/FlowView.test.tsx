import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { saveDrafts } from '../browser/storage/formDrafts';
import {
  BY_EMAIL,
  CHOOSING,
  errorResponse,
  mockHost,
  NEW_PASSWORD,
  QUESTION,
  REGISTERING,
  renderAt,
  resetBrowser,
  step,
  stepInput,
  transaction,
} from '../fixtures/identityHost';
import type { RegisterView as Register } from './RegisterView';
import type { VerifyView as Verify } from './VerifyView';

const left: string[] = [];
jest.doMock('../ui/useStyles', () => ({ useStyles: () => undefined }));
jest.doMock('../browser/navigation', () => ({
  navigateTo: (address: string) => left.push(address),
  copyText: async () => true,
}));
const { VerifyView } = jest.requireActual<{ VerifyView: typeof Verify }>('./VerifyView');
const { RegisterView } = jest.requireActual<{ RegisterView: typeof Register }>('./RegisterView');
const { clearFlow } = jest.requireActual<typeof import('./flow/flowStore')>('./flow/flowStore');

const CODE_STEP = transaction({ steps: [BY_EMAIL, step({ name: 'skip', inputs: [] })], canResend: true });
const DONE = transaction({ status: 'SUCCESS', steps: [], redirect: '/cart' });

beforeEach(() => {
  act(clearFlow);
  resetBrowser();
  left.length = 0;
});

afterEach(() => {
  jest.useRealTimers();
});

const verify = () => renderAt('/verify', <VerifyView title="Verify that it is you" />);
const where = () => screen.getByTestId('where').textContent;

test.each(['123456', '123 456', '123-456', ' 12 34 56'])(
  'a right code is sent with its last digit: %j',
  async (typed) => {
    const calls = mockHost({ '/auth/idx': [CODE_STEP], '/auth/idx/proceed': [DONE] });
    await verify();
    const code = screen.getByLabelText('Enter code');
    expect([code.getAttribute('autocomplete'), code.getAttribute('inputmode')]).toEqual([
      'one-time-code',
      'numeric',
    ]);
    await userEvent.click(code);
    await userEvent.paste(typed.slice(0, -1));
    expect(left).toEqual([]);
    await userEvent.paste(typed.slice(-1));
    expect(left).toEqual(['/cart']);
    const sent = calls.filter(([path]) => path === '/auth/idx/proceed');
    expect(sent.map(([, body]) => body)).toEqual([
      { step: 'challenge-authenticator', values: { passcode: '123456' } },
    ]);
  },
);

test('a wrong code is reported at its field, which has the focus, and read aloud', async () => {
  const wrong = { key: 'k', text: 'Invalid code. Try again.', kind: 'error', field: 'passcode' } as const;
  mockHost({ '/auth/idx': [CODE_STEP], '/auth/idx/proceed': [{ ...CODE_STEP, messages: [wrong] }] });
  await verify();
  const code = screen.getByLabelText<HTMLInputElement>('Enter code');
  await userEvent.type(code, '000000');
  expect(code).toHaveAccessibleDescription(
    'It is sent as soon as its last digit is there. Invalid code. Try again.',
  );
  expect(code).toHaveFocus();
  expect(screen.getByText('The code was not accepted.')).toHaveAttribute('role', 'status');
});

test.each(['12345', '1234567', 'abcdef'])('what is no whole code waits for the button: %s', async (typed) => {
  const calls = mockHost({ '/auth/idx': [CODE_STEP], '/auth/idx/proceed': [DONE] });
  await verify();
  await userEvent.click(screen.getByLabelText('Enter code'));
  await userEvent.paste(typed);
  expect(left).toEqual([]);
  await userEvent.click(screen.getByRole('button', { name: 'Continue' }));
  expect(calls.at(-1)?.[1]).toEqual({ step: 'challenge-authenticator', values: { passcode: typed } });
});

test('a registration says to which of the typed addresses its code was sent', async () => {
  saveDrafts({ email: 'ada@exmaple.test' });
  const byEmail = step({
    name: 'enroll-authenticator',
    authenticator: { kind: 'email', label: 'Email', data: {} },
  });
  mockHost({ '/auth/idx': [transaction({ flow: 'register', steps: [byEmail] })] });
  await verify();
  expect(screen.getByText(/Enter the code that we sent to/)).toHaveTextContent(/to ada@exmaple.test\.$/);
});

test('a new step has the focus on its heading', async () => {
  mockHost({ '/auth/idx': [CODE_STEP], '/auth/idx/proceed': [transaction({ steps: [QUESTION] })] });
  await verify();
  await userEvent.click(screen.getByRole('button', { name: 'Skip for now' }));
  expect(screen.getByRole('heading', { name: 'Set up a security question' })).toHaveFocus();
});

test('a 503 changes nothing and shows an error', async () => {
  const away = errorResponse(503, 'Unknown error', {}, 5);
  mockHost({ '/auth/idx': [CODE_STEP], '/auth/idx/proceed': [away] });
  await verify();
  await userEvent.type(screen.getByLabelText('Enter code'), '123456{Enter}');
  expect(
    screen.getByText('Unknown error. Please try again in 5 seconds. Nothing you typed is lost.'),
  ).toBeVisible();
  expect(screen.getByLabelText('Enter code')).toHaveValue('123456');
});

test('without a transaction the page shows a message and links to the start', async () => {
  mockHost({ '/auth/idx': [errorResponse(404, 'No transaction to resume')] });
  await verify();
  expect(screen.getByText('No transaction to resume')).toBeVisible();
  expect(screen.getByRole('link', { name: 'Sign in' }).getAttribute('href')).toBe('/login');
});

test('one click chooses an authenticator; a phone needs its number first', async () => {
  const calls = mockHost({
    '/auth/idx': [transaction({ steps: [CHOOSING] })],
    '/auth/idx/proceed': [CODE_STEP],
  });
  await verify();
  await userEvent.click(screen.getByRole('button', { name: /^Phone/ }));
  await userEvent.type(screen.getByLabelText(/^Phone number/), '+1 555 0100{Enter}');
  const values = { authenticator: 'p', phoneNumber: '+1 555 0100' };
  expect(calls.at(-1)?.[1]).toEqual({ step: 'select-authenticator-authenticate', values });
  expect(screen.getByRole('heading', { name: 'Check your email' })).toBeVisible();
});

test('when no passkey can be used, its option is disabled with a reason', async () => {
  mockHost({ '/auth/idx': [transaction({ steps: [CHOOSING] })] });
  await verify();
  const key = screen.getByRole('button', { name: /^Security Key or Biometric Not available here/ });
  expect(key).toBeDisabled();
});

test('a question of one’s own is sent with the words that belong to it alone', async () => {
  const calls = mockHost({
    '/auth/idx': [transaction({ steps: [QUESTION] })],
    '/auth/idx/proceed': [DONE],
  });
  await verify();
  await userEvent.click(screen.getByLabelText('Create my own security question'));
  await userEvent.type(screen.getByLabelText(/^Question/), 'Which ship?');
  await userEvent.type(screen.getByLabelText(/^Answer/), 'Beagle{Enter}');
  expect(calls.at(-1)?.[1]).toMatchObject({
    values: { credentials: 'own', questionKey: 'custom', question: 'Which ship?', answer: 'Beagle' },
  });
});

test('the rules of a new password are ticked off while it is typed', async () => {
  mockHost({ '/auth/idx': [transaction({ steps: [NEW_PASSWORD] })] });
  await renderAt('/reset-password', <VerifyView title="Choose a new password" />);
  await userEvent.type(screen.getByLabelText(/^New password/), 'Correct1');
  const met = screen.getAllByRole('listitem').filter((rule) => rule.textContent?.endsWith(', fulfilled'));
  expect(met.map((rule) => rule.textContent)).toEqual([
    'At least 8 characters, fulfilled',
    'One lowercase letter, fulfilled',
    'One uppercase letter, fulfilled',
    'One digit, fulfilled',
    'No part of your user name, fulfilled',
  ]);
});

test('each step has its own page', async () => {
  mockHost({ '/auth/idx': [transaction({ steps: [NEW_PASSWORD] })] });
  await verify();
  expect(where()).toBe('/reset-password');
});

test('a step of another page is not rendered before that page: text typed here would be lost', async () => {
  mockHost({ '/auth/idx': [transaction({ steps: [NEW_PASSWORD] })] });
  await verify();
  expect(screen.getByRole('heading').textContent).toBe('Please wait…');
});

test('registration begins by itself, past the empty form before it', async () => {
  const before = transaction({
    flow: 'register',
    steps: [step({ name: 'select-enroll-profile', inputs: [] })],
  });
  const form = transaction({ flow: 'register', username: null, steps: [REGISTERING] });
  const calls = mockHost({ '/auth/idx/start': [before], '/auth/idx/proceed': [form] });
  await renderAt('/register', <RegisterView />);
  expect(screen.getByLabelText(/^First name/).getAttribute('autocomplete')).toBe('given-name');
  expect(calls.map(([path]) => path)).toEqual(['/auth/idx/start', '/auth/idx/proceed']);
});

test('a registration that took too long begins anew with what was typed', async () => {
  const form = transaction({ flow: 'register', username: null, steps: [REGISTERING] });
  mockHost({
    '/auth/idx/start': [form],
    '/auth/idx/proceed': [errorResponse(410, 'The 30 minutes are over')],
  });
  await renderAt('/register', <RegisterView />);
  await userEvent.type(screen.getByLabelText(/^First name/), 'Ada');
  await userEvent.type(screen.getByLabelText(/^Last name/), 'Lovelace');
  await userEvent.type(screen.getByLabelText(/^Email/), 'ada@example.test{Enter}');
  expect(await screen.findByText(/More than 30 minutes have passed/)).toBeVisible();
  expect(screen.getByLabelText(/^Last name/)).toHaveValue('Lovelace');
});

test('giving up leads to the sign-in, also without an answer', async () => {
  mockHost({ '/auth/idx': [CODE_STEP] });
  await verify();
  await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));
  await waitFor(() => expect(where()).toBe('/login?returnTo=%2Fcart'));
});

test("a pending step is polled at the host's interval", async () => {
  jest.useFakeTimers();
  const waiting = transaction({
    steps: [step({ name: 'challenge-poll', inputs: [], poll: { everyMs: 4000 } })],
    retryAfterMs: 4000,
  });
  const calls = mockHost({ '/auth/idx': [waiting], '/auth/idx/poll': [waiting, DONE] });
  await verify();
  await act(() => jest.advanceTimersByTimeAsync(3999));
  expect(calls).toHaveLength(1);
  await act(() => jest.advanceTimersByTimeAsync(4001));
  expect([calls.length, left]).toEqual([3, ['/cart']]);
});

test('without a network it polls 5 more times at growing intervals, then offers a button', async () => {
  jest.useFakeTimers();
  const waiting = transaction({ steps: [step({ name: 'challenge-poll', inputs: [] })], retryAfterMs: 500 });
  const calls = mockHost({ '/auth/idx': [waiting] });
  await verify();
  await act(() => jest.advanceTimersByTimeAsync(500 + 31_000));
  expect(calls.filter(([path]) => path === '/auth/idx/poll')).toHaveLength(6);
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
  const calls = mockHost({
    '/auth/idx/start': [transaction({ flow: 'register', steps: [profile] })],
    '/auth/idx/proceed': [DONE],
  });
  await renderAt('/register', <RegisterView />);
  await userEvent.click(screen.getByLabelText('News'));
  await userEvent.click(screen.getByRole('button', { name: 'Create account' }));
  expect(calls.at(-1)?.[1]).toEqual({ step: 'enroll-profile', values: { news: true } });
});

const OPTIONAL = [CHOOSING, step({ name: 'skip', inputs: [] })].map((one, at) =>
  at === 0 ? { ...one, name: 'select-authenticator-enroll' } : one,
);

test('a registration says which step it is and what comes next', async () => {
  const email = step({
    name: 'enroll-authenticator',
    authenticator: { kind: 'email', label: 'Email', data: {} },
  });
  const list = { ...CHOOSING, name: 'select-authenticator-enroll' };
  mockHost({
    '/auth/idx': [transaction({ flow: 'register', place: { step: 2, of: 3 }, steps: [email, list] })],
  });
  await renderAt('/verify', <VerifyView title="" />);
  expect(screen.getByText('Step 2 of 3. Next: Phone')).toBeVisible();
});

test.each([
  ['/checkout', ['Skip for now', 'Email']],
  ['/', ['Email', 'Skip for now']],
])('the optional page of somebody on the way to %s begins with what they want', async (returnTo, order) => {
  mockHost({ '/auth/idx': [transaction({ flow: 'register', returnTo, steps: OPTIONAL })] });
  await verify();
  expect(screen.getByText('Optional')).toBeVisible();
  const names = screen.getAllByRole('button').map(({ textContent }) => textContent ?? '');
  const places = order.map((name) => names.findIndex((text) => text.startsWith(name)));
  expect(places).toEqual([...places].sort((a, b) => a - b));
  expect(names.filter((name) => name.startsWith('Skip for now'))).toHaveLength(1);
});
