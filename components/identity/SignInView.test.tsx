import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import {
  errorResponse,
  mockHost,
  renderAt,
  resetBrowser,
  setCookie,
  signIn,
  transaction,
} from '../fixtures/identityHost';
import type { SignInView as View } from './SignInView';

const left: string[] = [];
jest.doMock('../ui/useStyles', () => ({ useStyles: () => undefined }));
jest.doMock('../browser/navigation', () => ({
  leaveFor: async (address: string) => left.push(address),
  navigateTo: (address: string) => left.push(address),
}));
const { SignInView } = jest.requireActual<{ SignInView: typeof View }>('./SignInView');
const { clearFlow } = jest.requireActual<typeof import('./flow/flowStore')>('./flow/flowStore');

const PROVIDER = {
  origin: 'http://p.test',
  frame: null,
  hasAuthn: true,
  hasRegistration: true,
  isReachable: true,
};

beforeEach(() => {
  clearFlow();
  resetBrowser();
  left.length = 0;
});

async function fillIn(name: string, password: string) {
  const user = userEvent.setup();
  if (name) await user.type(screen.getByLabelText(/^Email or user name/), name);
  if (password) await user.type(screen.getByLabelText(/^Password/), password);
  await user.click(screen.getByRole('button', { name: 'Sign in' }));
}

test('an empty name and password are reported at their fields without a request', async () => {
  const calls = mockHost({ '/auth/provider': [PROVIDER] });
  await renderAt('/login', <SignInView area="learner" />);
  await fillIn('', '');
  const name = screen.getByLabelText(/^Email or user name/);
  expect(name).toHaveFocus();
  expect(name).toHaveAccessibleDescription('Email or user name is required.');
  expect(screen.getByLabelText(/^Password/)).toHaveAccessibleDescription('Enter your password.');
  expect(calls).toEqual([['/auth/provider', null]]);
});

test('a right password leads to the provider, and the name is remembered for the next time', async () => {
  const calls = mockHost({
    '/auth/provider': [PROVIDER],
    '/auth/login': [{ redirect: 'http://p.test/authorize' }],
  });
  await renderAt('/login?returnTo=%2Fcart', <SignInView area="learner" />);
  await fillIn('ada@example.test', 'Correct-Horse-1');
  await waitFor(() => expect(left).toEqual(['http://p.test/authorize']));
  const body = {
    username: 'ada@example.test',
    password: 'Correct-Horse-1',
    returnTo: '/cart',
    area: 'learner',
  };
  expect(calls.at(-1)).toEqual(['/auth/login', body]);
  expect(document.cookie).toContain('email_address=ada%40example.test');
});

test('a foreign returnTo becomes the front page', async () => {
  const calls = mockHost({ '/auth/provider': [PROVIDER], '/auth/login': [{ redirect: '/' }] });
  await renderAt('/login?returnTo=%2F%2Fevil.test', <SignInView area="learner" />);
  await fillIn('ada', 'x');
  await waitFor(() => expect(left).toHaveLength(1));
  expect(calls.at(-1)?.[1]).toMatchObject({ returnTo: '/' });
});

test('a wrong password is reported above the form, and the message has the focus', async () => {
  mockHost({ '/auth/provider': [PROVIDER], '/auth/login': [errorResponse(401, 'Login failed')] });
  await renderAt('/login', <SignInView area="learner" />);
  await fillIn('ada', 'wrong');
  const problem = await screen.findByText('Login failed');
  expect(problem.parentElement).toHaveFocus();
  expect(problem).toHaveTextContent('That name and password do not match.');
  expect(screen.getByRole('link', { name: 'choose a new password' })).toHaveAttribute('href', '/forgot');
});

test('a password that expires soon is said before the browser goes on, or to the profile', async () => {
  const calls = mockHost({
    '/auth/provider': [PROVIDER],
    '/auth/login': [
      { redirect: 'http://p.test/first', passwordExpiresSoon: true },
      { redirect: 'http://p.test/profile', passwordExpiresSoon: true },
    ],
  });
  await renderAt('/login?returnTo=%2Fcart', <SignInView area="learner" />);
  await fillIn('warn', 'x');
  expect(await screen.findByText('Your password expires soon')).toBeVisible();
  expect(left).toEqual([]);
  await userEvent.click(screen.getByRole('button', { name: 'Continue' }));
  expect(left).toEqual(['http://p.test/first']);
  await userEvent.click(screen.getByRole('button', { name: 'Change the password' }));
  await waitFor(() => expect(left).toEqual(['http://p.test/first', 'http://p.test/profile']));
  expect(calls.at(-1)?.[1]).toMatchObject({ username: 'warn', password: 'x', returnTo: '/profile' });
});

test('what waits is said, and registering keeps it', async () => {
  mockHost({ '/auth/provider': [PROVIDER] });
  await renderAt(
    '/login?returnTo=%2Fcheckout',
    <SignInView area="learner" waiting="Your 3 items are kept." />,
  );
  expect(screen.getByText('Your 3 items are kept.')).toBeVisible();
  const register = screen.getByRole('link', { name: 'Create an account' });
  expect(register).toHaveAttribute('href', '/register?returnTo=%2Fcheckout');
});

test("the specification's text of a foreign state says what to do beside it", async () => {
  mockHost({ '/auth/provider': [PROVIDER] });
  await renderAt('/login?error=state', <SignInView area="learner" />);
  expect(screen.getByText("OAuth flow response state doesn't match request state")).toHaveTextContent(
    'Nothing is wrong with your account: sign in here again.',
  );
});

test('a locked account shows its status and continues with unlocking, with the same name', async () => {
  const detail = 'We cannot handle the LOCKED_OUT status';
  const more = { providerStatus: 'LOCKED_OUT', flow: 'unlockAccount' };
  const calls = mockHost({
    '/auth/provider': [PROVIDER],
    '/auth/login': [errorResponse(409, detail, more)],
    '/auth/idx/start': [transaction({ flow: 'unlockAccount' })],
  });
  await renderAt('/login', <SignInView area="learner" />);
  await fillIn('locked', 'x');
  expect(await screen.findByText(detail)).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: 'Unlock my account' }));
  await waitFor(() => expect(screen.getByTestId('where')).toHaveTextContent('/verify'));
  const start = { flow: 'unlockAccount', area: 'learner', returnTo: '/', username: 'locked' };
  expect(calls.at(-1)).toEqual(['/auth/idx/start', start]);
});

test('after too many attempts the message says when to try again', async () => {
  mockHost({ '/auth/provider': [PROVIDER], '/auth/login': [errorResponse(429, 'Slow down', {}, 120)] });
  await renderAt('/login', <SignInView area="learner" />);
  await fillIn('ada', 'x');
  expect(await screen.findByText('Too many tries. Please try again in 2 minutes.')).toBeVisible();
});

test("the callback's error has the shared text; an unknown key is a failed sign-in", async () => {
  mockHost({ '/auth/provider': [PROVIDER] });
  await renderAt('/login?error=constructor', <SignInView area="learner" />);
  expect(screen.getByText('Login failed')).toBeVisible();
});

test('the link of a mail that was opened elsewhere shows the code for where it began', async () => {
  setCookie('otp_hint=123456');
  await renderAt('/login?error=otherClient', <SignInView area="learner" />);
  expect(screen.getByText('Enter the OTP code in the originating client: 123456')).toBeVisible();
});

test('a provider without authn is visited itself', async () => {
  mockHost({ '/auth/provider': [{ ...PROVIDER, hasAuthn: false }] });
  await renderAt('/organization-login?returnTo=%2Fcart', <SignInView area="organisation" />);
  const link = await screen.findByRole('link', { name: 'Continue to sign in' });
  expect(link.getAttribute('href')).toBe('/api/auth/start?returnTo=%2Fcart&area=organisation');
});

test('the last typed name is filled in', async () => {
  setCookie('email_address=ada%40example.test');
  mockHost({ '/auth/provider': [PROVIDER] });
  await renderAt('/login', <SignInView area="learner" />);
  expect(screen.getByLabelText(/^Email or user name/)).toHaveValue('ada@example.test');
});

test('a signed-in learner sees that', async () => {
  signIn();
  await renderAt('/login?returnTo=%2Fwishlist', <SignInView area="learner" />);
  expect(screen.getByText('ada@example.test')).toBeVisible();
  expect(screen.getByRole('link', { name: 'Continue' }).getAttribute('href')).toBe('/wishlist');
});
