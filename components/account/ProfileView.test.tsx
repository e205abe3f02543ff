import { act, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MemoryRouter } from 'react-router-dom';

import { refreshAuth } from '../api/auth';
import { SiteProvider } from '../api/site';
import type { Session } from '../browser/session/session';
import { EMAILS, ownSession, PHONES, profile } from '../fixtures/identity';
import { SITE } from '../fixtures/renderInShop';
import { HEAD, SESSION } from '../fixtures/session';
import { setCookie } from '../fixtures/setCookie';
import type { ProfilePage as Page } from '../pages/account/ProfilePage';
import type { AdditionalView as Additional } from './AdditionalView';

type Asked = [method: string, path: string, body: unknown];
const left: string[] = [];
const toasts: string[] = [];
const files: string[] = [];
const copied: string[] = [];
jest.doMock('../ui/useStyles', () => ({ useStyles: () => undefined }));
jest.doMock('../ui/toasts/toasts', () => ({
  notify: async (kind: string, text: string) => toasts.push(`${kind}: ${text}`),
}));
jest.doMock('../browser/navigation', () => ({
  askBeforeLeaving: () => () => undefined,
  copyText: async (text: string) => copied.push(text) > 0,
  navigateTo: (address: string) => left.push(address),
  saveFile: (...file: string[]) => files.push(file.join(' ')),
}));
const { ProfilePage } = jest.requireActual<{ ProfilePage: typeof Page }>('../pages/account/ProfilePage');
const { AdditionalView } = jest.requireActual<{ AdditionalView: typeof Additional }>('./AdditionalView');

const ACCOUNT: Record<string, unknown> = {
  'GET /account/profile': profile(),
  'GET /account/emails': { emails: EMAILS },
  'GET /account/phones': { phones: PHONES },
  'GET /account/password': { status: 'ACTIVE', lastUpdated: '2026-09-01T10:00:00Z' },
};

function hostThatSays(more: Record<string, unknown> = {}): Asked[] {
  const answers = { ...ACCOUNT, ...more };
  const calls: Asked[] = [];
  globalThis.fetch = (async (address: string, { method = 'GET', body }: RequestInit) => {
    const path = address.replace('/api', '');
    calls.push([method, path, body === undefined ? null : JSON.parse(String(body))]);
    const answer = answers[`${method} ${path}`];
    if (answer === undefined) throw new TypeError('Failed to fetch');
    const status = (answer as { status?: unknown }).status;
    return new Response(JSON.stringify(answer), { status: typeof status === 'number' ? status : 200 });
  }) as unknown as typeof fetch;
  return calls;
}

function setLogin(value: string): void {
  setCookie(`userInfo=${value}`);
  refreshAuth(true);
}

const SESSIONS = [ownSession(), ownSession({ id: 's2', isThis: false, browser: 'Safari' })];
const replaceData = jest.fn(async () => undefined);
let session: Session | null;

/** The page as it came from the host, of `session`. */
async function show(node = <ProfilePage sessions={SESSIONS} studentNumber="S-0042" />) {
  const page = {
    page: 'profile',
    status: 200,
    head: HEAD,
    props: { title: 'Profile', sessions: SESSIONS },
    session,
  };
  await act(async () => {
    render(
      <SiteProvider site={SITE} page={page} replaceData={replaceData}>
        <MemoryRouter>{node}</MemoryRouter>
      </SiteProvider>,
    );
  });
}

const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();
const section = (name: string) => within(screen.getByRole('region', { name }));

beforeEach(() => {
  for (const list of [left, toasts, files]) list.length = 0;
  setLogin(
    encodeURIComponent(
      JSON.stringify({ accessToken: 't', user: { AAUserID: 7, Email: 'ada@example.test' } }),
    ),
  );
  session = { ...SESSION, now: new Date().toISOString(), expiresAt: inMinutes(45) };
  replaceData.mockClear();
});

test('without a sign-in the page links to it and back here', async () => {
  setLogin('');
  session = null;
  window.history.replaceState(null, '', '/profile');
  await show(<ProfilePage />);
  expect(screen.getByRole('link', { name: 'Sign in' }).getAttribute('href')).toBe(
    '/login?returnTo=%2Fprofile',
  );
});

test('five minutes before its end a sign-in can be renewed, and again afterwards', async () => {
  jest.useFakeTimers();
  hostThatSays();
  window.history.replaceState(null, '', '/profile');
  const now = new Date().toISOString();
  const expiresAt = inMinutes(6);
  session = { ...SESSION, now, expiresAt };
  await show();
  const bar = screen.getAllByRole('status')[0] as HTMLElement;
  expect(bar).toBeEmptyDOMElement();
  await act(async () => jest.advanceTimersByTime(60_000));
  expect(bar).toHaveTextContent(/^Signed in until \d+:\d\d\s[AP]M\. Stay signed in$/);
  expect(within(bar).getByRole('link').getAttribute('href')).toBe(
    '/api/auth/start?returnTo=%2Fprofile&area=learner',
  );
  await act(async () => jest.advanceTimersByTime(5 * 60_000));
  expect(bar).toHaveTextContent('Your sign-in has ended. Sign in again');
  expect(screen.getByRole('heading', { name: 'Your profile' })).toBeVisible();
  jest.useRealTimers();
});

test('an account that only its provider can change is shown, with the way there, and nothing is asked', async () => {
  const calls = hostThatSays();
  const account = { name: 'Ada Lovelace', email: 'ada@example.test', url: 'https://id.example/account' };
  await show(<ProfilePage account={account} sessions={SESSIONS} />);
  const about = section('About you');
  expect(about.getByText('Ada Lovelace')).toBeVisible();
  expect(about.getByText('ada@example.test')).toBeVisible();
  const link = about.getByRole('link', { name: 'Change your account at id.example' });
  expect(link.getAttribute('href')).toBe('https://id.example/account');
  const regions = screen.getAllByRole('region').map((region) => region.getAttribute('aria-labelledby'));
  expect(regions).toEqual(['account-title', 'sessions-title', 'data-title']);
  const alerts = screen.queryAllByRole('alert').map((alert) => alert.textContent);
  expect([calls, alerts.join('')]).toEqual([[], '']);
});

test('the student number stands at the top and can be copied', async () => {
  hostThatSays();
  await show();
  expect(screen.getByText('S-0042')).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: 'Copy the student number' }));
  expect(copied).toEqual(['S-0042']);
  expect(screen.getByText('Copied.')).toBeVisible();
});

test('locale and time zone are chosen from lists that keep what they have now', async () => {
  const own = profile({ locale: 'en_US', timezone: 'Mars/Olympus' });
  const attribute = { required: false, isReadOnly: false, minLength: null, maxLength: 50 };
  const attributes = [
    { ...attribute, name: 'locale', title: 'Locale' },
    { ...attribute, name: 'timezone', title: 'Time zone' },
  ];
  hostThatSays({ 'GET /account/profile': { ...own, attributes } });
  await show();
  const about = section('About you');
  expect(about.getByRole('combobox', { name: 'Locale' })).toHaveDisplayValue('American English');
  const zones = about.getByRole('combobox', { name: 'Time zone' });
  expect(zones).toHaveDisplayValue('Mars/Olympus');
  expect(within(zones).getByRole('option', { name: 'Asia/Tokyo' })).toHaveValue('Asia/Tokyo');
});

test('without an account page of the provider there is no link to one', async () => {
  hostThatSays();
  await show(<ProfilePage account={{ name: '', email: 'a@b.test', url: null }} sessions={SESSIONS} />);
  const about = section('About you');
  expect([about.queryByRole('link'), about.queryByText('Name')]).toEqual([null, null]);
});

test('names are saved with the whole set, an emptied one as null', async () => {
  const calls = hostThatSays({ 'PUT /account/profile': profile({ firstName: 'Augusta' }) });
  await show();
  const first = screen.getByLabelText(/^First name/);
  await userEvent.clear(first);
  await userEvent.type(first, 'Augusta{Enter}');
  const body = { profile: { firstName: 'Augusta', lastName: 'Lovelace', nickName: null } };
  expect(calls.at(-1)).toEqual(['PUT', '/account/profile', body]);
  expect(toasts).toEqual(['success: Your profile was saved.']);
});

test('an address is added, and its code confirms it', async () => {
  const added = { id: 'e9', email: 'ada@work.test', isPrimary: false, isVerified: false };
  const calls = hostThatSays({
    'POST /account/emails': { email: added, challengeId: 'c1' },
    'POST /account/emails/e9/challenge/c1/verify': { emails: [...EMAILS, { ...added, isVerified: true }] },
  });
  await show();
  const emails = section('Email addresses');
  await userEvent.click(emails.getByRole('button', { name: 'Add an address' }));
  await userEvent.type(emails.getByLabelText(/^New address/), 'ada@work.test{Enter}');
  await waitFor(() => expect(emails.getByLabelText('Code')).toHaveFocus());
  await userEvent.keyboard('12 34-56{Enter}');
  expect(calls.at(-1)?.[2]).toEqual({ code: '123456' });
  expect(toasts).toEqual(['success: ada@work.test is confirmed.']);
});

test('a wrong code is reported at its field', async () => {
  hostThatSays({
    'POST /account/emails/e3/challenge': { challengeId: 'c1', expiresAt: '2026-11-20T10:00:00Z' },
    'POST /account/emails/e3/challenge/c1/verify': {
      status: 400,
      title: 'No',
      errors: { code: 'Invalid code.' },
    },
  });
  await show();
  await userEvent.click(screen.getByRole('button', { name: 'Confirm: ada@new.test' }));
  await userEvent.keyboard('000000{Enter}');
  await waitFor(() =>
    expect(screen.getByLabelText('Code')).toHaveAccessibleDescription(
      'We sent it to ada@new.test. It is sent as soon as its last digit is there. Invalid code.',
    ),
  );
});

test('the primary address cannot be removed, others after a question', async () => {
  const calls = hostThatSays({ 'DELETE /account/emails/e2': {} });
  await show();
  expect(screen.queryByRole('button', { name: 'Remove: ada@example.test' })).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: 'Remove: ada@home.test' }));
  const dialog = within(screen.getByRole('dialog', { name: 'Remove ada@home.test?' }));
  act(() =>
    (dialog.getByRole('button', { name: 'Remove' }).closest('dialog') as HTMLDialogElement).close('yes'),
  );
  await waitFor(() => expect(screen.queryByText('ada@home.test')).toBeNull());
  expect(calls.at(-1)?.slice(0, 2)).toEqual(['DELETE', '/account/emails/e2']);
});

test('when the provider requires a newer sign-in, the page links to it', async () => {
  const stale = { status: 403, title: 'No', detail: 'insufficient_authentication_context', maxAge: 900 };
  hostThatSays({ 'PUT /account/password': stale });
  await show();
  const password = section('Password');
  await userEvent.click(password.getByRole('button', { name: 'Change password' }));
  await userEvent.type(password.getByLabelText(/^Current password/), 'Correct-Horse-1');
  await userEvent.type(password.getByLabelText(/^New password/), 'Correct-Horse-2{Enter}');
  const link = password.getByRole('link', { name: 'Sign in again' });
  expect(link.getAttribute('href')).toBe('/api/auth/start?returnTo=%2Fprofile&maxAge=900&access=account');
});

test.each([
  [
    { maxAge: 900, acrValues: 'urn:okta:loa:2fa:any' },
    '&maxAge=900&acrValues=urn%3Aokta%3Aloa%3A2fa%3Aany&access=account',
  ],
  [{ maxAge: null, acrValues: 'phr' }, '&acrValues=phr&access=account'],
  [{ maxAge: null, acrValues: null }, '&maxAge=0&access=account'],
])('the link asks for the strength that the provider requires: %j', async (members, query) => {
  const weak = { status: 403, title: 'No', detail: 'insufficient_authentication_context', ...members };
  hostThatSays({ 'GET /account/emails': weak });
  await show();
  const link = section('Email addresses').getByRole('link', { name: 'Sign in again' });
  expect(link.getAttribute('href')).toBe(`/api/auth/start?returnTo=%2Fprofile${query}`);
});

test('a session without a token of the provider stays, and says so', async () => {
  const detail = 'AccessToken is required to request MyAccount API endpoints.';
  hostThatSays({ 'GET /account/emails': { status: 401, title: 'Sign in first', detail } });
  await show();
  expect(section('Email addresses').getByText(new RegExp(detail))).toBeVisible();
  expect(document.cookie).toContain('userInfo=');
});

test('without a password one is led to choose it', async () => {
  hostThatSays({ 'GET /account/password': { status: 'NOT_ENROLLED', lastUpdated: null } });
  await show();
  const link = section('Password').getByRole('link', { name: 'Choose a password' });
  expect(link.getAttribute('href')).toBe('/create-password');
});

test('this sign-in has no end here, another one has', async () => {
  hostThatSays();
  await show();
  const rows = section('Where you are signed in').getAllByRole('listitem');
  expect(rows.map((row) => within(row).queryAllByRole('button').length)).toEqual([0, 1]);
});

test('after ending a sign-in the page is loaded again', async () => {
  const fresh = { page: 'profile', status: 200, head: HEAD, props: { title: 'Profile', sessions: [] } };
  const calls = hostThatSays({
    'DELETE /account/sessions/s2': { sessions: [] },
    'DELETE /account/sessions/s3': { sessions: [] },
    'GET /data/profile': { ...fresh, status: 200 },
  });
  window.history.replaceState(null, '', '/profile');
  await show(<ProfilePage sessions={[...SESSIONS, ownSession({ id: 's3', isThis: false })]} />);
  await userEvent.click(screen.getByRole('button', { name: 'Sign out everywhere else' }));
  expect(calls.slice(-3)).toEqual([
    ['DELETE', '/account/sessions/s2', {}],
    ['DELETE', '/account/sessions/s3', {}],
    ['GET', '/data/profile', null],
  ]);
  expect(replaceData.mock.calls).toEqual([[fresh]]);
});

test('everything we hold is handed over as a file', async () => {
  hostThatSays({ 'GET /account/export': { orders: [] } });
  await show();
  await userEvent.click(screen.getByRole('button', { name: 'Download my data' }));
  expect(files).toEqual(['my-data.json application/json {\n  "orders": []\n}']);
});

test('the account is deleted only by who types its address', async () => {
  const calls = hostThatSays({ 'DELETE /account': { redirect: '/' } });
  await show();
  await userEvent.click(screen.getByRole('button', { name: 'Delete my account…' }));
  const field = screen.getByLabelText(/^Type ada@example.test/);
  await userEvent.type(field, 'ada{Enter}');
  expect(field).toHaveAccessibleDescription('Type ada@example.test to confirm.');
  expect(calls.filter(([method]) => method === 'DELETE')).toEqual([]);
  await userEvent.clear(field);
  await userEvent.type(field, 'ada@example.test{Enter}');
  const request = { confirm: 'ada@example.test', keepCertificates: false };
  expect(calls.at(-1)).toEqual(['DELETE', '/account', request]);
  expect([left, document.cookie]).toEqual([['/'], '']);
});

test('who deletes their account may keep their certificates', async () => {
  const calls = hostThatSays({ 'DELETE /account': { redirect: '/' } });
  await show();
  await userEvent.click(screen.getByRole('button', { name: 'Delete my account…' }));
  const keep = screen.getByRole('checkbox', { name: 'Keep my certificates valid' });
  expect(keep).not.toBeChecked();
  expect(keep).toHaveAccessibleDescription(/they are revoked and lose your name\.$/);
  await userEvent.click(keep);
  await userEvent.type(screen.getByLabelText(/^Type ada@example.test/), 'ada@example.test{Enter}');
  const request = { confirm: 'ada@example.test', keepCertificates: true };
  expect(calls.at(-1)).toEqual(['DELETE', '/account', request]);
});

test('a part that cannot be loaded leaves the others', async () => {
  hostThatSays({ 'GET /account/emails': { status: 503, title: 'Away', detail: 'Unknown error' } });
  await show();
  expect(section('Email addresses').getByText(/^Unknown error\./)).toBeVisible();
  expect(screen.getByLabelText(/^First name/)).toHaveValue('Ada');
});

test('a sign-in that has ended sends back to the sign-in', async () => {
  hostThatSays({ 'GET /account/profile': { status: 401, title: 'No' } });
  await show();
  expect(screen.getByRole('heading', { name: 'Please sign in' })).toBeVisible();
});

test('after registration only missing attributes have a field', async () => {
  hostThatSays({ 'GET /account/profile': profile({ lastName: null }) });
  await show(<AdditionalView />);
  expect(screen.getAllByRole('textbox')).toEqual([screen.getByLabelText(/^Last name/)]);
});

test('a sign-in that may not see the account shows our own records and the way to the provider', async () => {
  const access = '/api/auth/start?returnTo=%2Fprofile&area=learner&access=account';
  await show(<ProfilePage access={access} sessions={SESSIONS} />);
  expect(screen.getByRole('link', { name: 'Open my account' })).toHaveAttribute('href', access);
  expect(screen.getByRole('heading', { name: 'Where you are signed in' })).toBeVisible();
  expect(screen.queryByRole('heading', { name: 'Email addresses' })).toBeNull();
});
