import { act, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MemoryRouter } from 'react-router-dom';
import { refreshAuth } from '../../api/auth';
import { SiteProvider } from '../../api/site';
import { saveSession } from '../../browser/session/session';
import type { HeadProps } from '../../contracts/schema';
import { mockServer, resetBrowser, signIn } from '../../fixtures/cartServer';
import { renderInShop, SITE } from '../../fixtures/renderInShop';
import { SESSION } from '../../fixtures/session';
import type { AccountButton as Button } from './AccountButton';

jest.doMock('../../ui/useStyles', () => ({ useStyles: () => undefined }));
const { AccountButton } = jest.requireActual<{ AccountButton: typeof Button }>('./AccountButton');

beforeEach(resetBrowser);

test('the link to the account says whether its menu is open', async () => {
  mockServer({ '/auth/session': 503 });
  signIn(7);
  renderInShop(
    <MemoryRouter>
      <AccountButton />
    </MemoryRouter>,
  );
  const link = screen.getByRole('link', { name: 'Account' });
  expect(link).toHaveAttribute('aria-expanded', 'false');
  await userEvent.click(link);
  expect(await screen.findByRole('navigation', { name: 'Account' })).toBeVisible();
  expect(link).toHaveAttribute('aria-expanded', 'true');
  await userEvent.keyboard('{Escape}');
  expect(link).toHaveAttribute('aria-expanded', 'false');
});

test('the link to the sign-in opens nothing', async () => {
  await act(async () => renderInShop(<AccountButton />));
  expect(screen.getByRole('link', { name: 'Sign in' })).not.toHaveAttribute('aria-expanded');
});

test.each([
  ['Ada Lovelace', 'Hi, Ada, your account'],
  ['Ada', 'Hi, Ada, your account'],
  ['', 'Account'],
])('whoever is called "%s" is greeted as %s once the session is known', (name, greeting) => {
  mockServer({ '/auth/session': 503 });
  signIn(7);
  renderInShop(<AccountButton />);
  expect(screen.getByRole('link')).toHaveTextContent(/^Account$/);
  act(() => saveSession({ ...SESSION, learner: { ...SESSION.learner, name } }, 't'));
  expect(screen.getByRole('link')).toHaveTextContent(greeting);
});

test('a page that waits for the check has both links until then, and one afterwards', async () => {
  mockServer({ '/auth/session': 503 });
  refreshAuth(false);
  const page = { page: 'profile', status: 200, head: { title: 'Profile' } as HeadProps, props: {} };
  renderInShop(
    <SiteProvider site={SITE} page={page}>
      <AccountButton />
    </SiteProvider>,
  );
  const links = () =>
    screen.getAllByRole('link').map((link) => [link.textContent, link.getAttribute('href')]);
  expect(links()).toEqual([
    ['Sign in', '/login'],
    ['Account', '/profile'],
  ]);
  act(() => void refreshAuth(true));
  expect(links()).toEqual([['Sign in', '/login']]);
});
