import { act, fireEvent, render, screen, within } from '@testing-library/react';
import { hydrateRoot } from 'react-dom/client';
import { renderToString } from 'react-dom/server';
import { BrowserRouter, StaticRouter } from 'react-router-dom';
import { AreaApp } from './AreaApp';
import { refreshAuth } from './api/auth';
import { AREA_ROUTES } from './areaRoutes';
import { clearLogin } from './browser/session/clearLogin';
import type { AreaErrorProps, AreaProps, PageData } from './contracts/schema';
import { SITE } from './fixtures/renderInShop';
import { HEAD, SESSION } from './fixtures/session';
import { loadPage } from './pageTable';

const AREA: AreaProps = {
  id: 'admin',
  title: 'Administration',
  layout: 'area',
  home: '/admin',
  signIn: '/adminlogin',
  timeZone: 'Europe/Berlin',
  nav: [
    { title: 'Start', links: [{ href: '/admin', label: 'Overview', below: null }] },
    {
      title: 'Catalogue',
      links: [
        { href: '/admin/courses', label: 'Courses', below: null },
        { href: '/admin/imports', label: 'Imports', below: '/admin/courses' },
        { href: '/admin/categories', label: 'Categories', below: null, also: '/admin/shelves' },
      ],
    },
  ],
};
const REFUSAL: AreaErrorProps = {
  title: 'Staff',
  heading: 'You may not open this page',
  message: '“Staff” needs a permission that your roles do not have.',
  permission: 'staff.write',
  roles: ['administrator'],
};
const requests: string[] = [];

function refusal(): PageData {
  const session = { ...SESSION, learner: { ...SESSION.learner, area: 'admin' as const } };
  return { page: 'area-error', status: 403, head: HEAD, props: { ...REFUSAL }, area: AREA, session };
}

beforeEach(async () => {
  requests.length = 0;
  const info = encodeURIComponent(
    JSON.stringify({ accessToken: 't', user: { AAUserID: 7, Email: 'a@b.c' } }),
  );
  // biome-ignore lint/suspicious/noDocumentCookie: jsdom has no cookie store
  document.cookie = `userInfo=${info}; path=/`;
  refreshAuth(false);
  CSSStyleSheet.prototype.replaceSync = () => undefined;
  document.adoptedStyleSheets = [];
  window.scrollTo = jest.fn();
  window.history.replaceState(null, '', '/admin/courses/7');
  globalThis.fetch = async (address) => {
    requests.push(String(address));
    return Response.json({});
  };
  await loadPage(AREA_ROUTES.pages, 'area-error');
});

async function open(first: PageData) {
  await act(async () => {
    render(
      <BrowserRouter>
        <AreaApp site={SITE} first={first} />
      </BrowserRouter>,
    );
  });
}

test('the layout has the area, the name, the sign-out and the navigation, and nothing of the shop', async () => {
  await open(refusal());
  const header = within(screen.getByRole('banner'));
  expect(header.getByRole('link', { name: 'Administration' })).toHaveAttribute('href', '/admin');
  expect(header.getByText('Ada Lovelace')).toBeVisible();
  expect(header.getByRole('link', { name: 'Sign out' })).toHaveAttribute('href', '/logout');
  expect(screen.getByRole('list', { name: 'Catalogue', hidden: true })).toBeInTheDocument();
  const fields = screen
    .getAllByRole('searchbox')
    .map((field) => field.closest('form')?.getAttribute('action'));
  expect(fields).toEqual(['/admin/search']);
  expect(screen.queryByText(/cart|wishlist/i)).toBeNull();
  expect(requests).toEqual(['/api/SetAAUserTraceLog']);
});

test('the navigation marks the list that the page belongs to', async () => {
  await open(refusal());
  const current = screen
    .getAllByRole('link', { hidden: true })
    .filter((link) => link.hasAttribute('aria-current'))
    .map((link) => [link.textContent, link.getAttribute('aria-current')]);
  expect(current).toEqual([['Courses', 'true']]);
});

test('pages below another address belong to a link that says so', async () => {
  window.history.replaceState(null, '', '/admin/shelves/3');
  await open(refusal());
  const current = screen.getAllByRole('link', { hidden: true, current: true });
  expect(current.map((link) => link.textContent)).toEqual(['Categories']);
});

test.each([
  ['/admin', []],
  ['/admin/categories/3', []],
  ['/admin/courses', ['Imports']],
  ['/admin/imports/9', ['Imports']],
])('at %s the links below are %j', async (path, expected) => {
  window.history.replaceState(null, '', path);
  await open(refusal());
  const links = screen.getAllByRole('link', { hidden: true }).map((link) => link.textContent);
  expect(links.filter((text) => text === 'Imports')).toEqual(expected);
  expect(links).toEqual(expect.arrayContaining(['Overview', 'Courses', 'Categories']));
});

test.each([
  [
    '/admin/courses',
    [
      ['Courses', 'page', 'Catalogue'],
      ['Imports', null, 'Below Courses'],
    ],
  ],
  [
    '/admin/imports/9',
    [
      ['Courses', null, 'Catalogue'],
      ['Imports', 'true', 'Below Courses'],
    ],
  ],
])('at %s what an entry holds is a list inside it, and one of both is current', async (path, expected) => {
  window.history.replaceState(null, '', path);
  await open(refusal());
  const entry = screen.getByRole('link', { name: 'Courses', hidden: true }).closest('li') as HTMLElement;
  const links = within(entry).getAllByRole('link', { hidden: true });
  const listOf = (link: HTMLElement) => {
    const list = link.closest('ul') as HTMLElement;
    const id = list.getAttribute('aria-labelledby');
    return id === null ? list.getAttribute('aria-label') : document.getElementById(id)?.textContent;
  };
  expect(links.map((link) => [link.textContent, link.getAttribute('aria-current'), listOf(link)])).toEqual(
    expected,
  );
});

test('Ctrl+K leads to the search, which shows what was searched for', async () => {
  window.history.replaceState(null, '', '/admin/search?q=tax');
  await open(refusal());
  const field = screen.getByRole('searchbox', { name: 'Search the area' });
  expect(field).toHaveValue('tax');
  expect(field).not.toHaveFocus();
  const isLeftToBrowser = fireEvent.keyDown(document.body, { key: 'k', ctrlKey: true });
  expect(isLeftToBrowser).toBe(false);
  expect(field).toHaveFocus();
  expect(fireEvent.keyDown(document.body, { key: 'k' })).toBe(true);
});

test('the area of organisations has no search', async () => {
  await open({ ...refusal(), area: { ...AREA, id: 'organization', home: '/organization' } });
  expect(screen.queryByRole('searchbox')).toBeNull();
});

test('a refusal names the permission and the roles that have it', async () => {
  await open(refusal());
  expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent(REFUSAL.heading);
  expect(screen.getAllByRole('definition').map((fact) => fact.textContent)).toEqual([
    'staff.write',
    'administrator',
  ]);
});

test('after a sign-out elsewhere the page is gone and the sign-in of the area leads back', async () => {
  await open(refusal());
  await act(async () => {
    clearLogin();
    refreshAuth();
  });
  expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent('Please sign in');
  expect(screen.getByRole('link', { name: 'Sign in' })).toHaveAttribute(
    'href',
    `/adminlogin?returnTo=${encodeURIComponent('/admin/courses/7')}`,
  );
  expect(screen.queryByText(REFUSAL.message)).toBeNull();
  expect(screen.queryByRole('navigation', { hidden: true })).toBeNull();
});

test('the browser hydrates what Node rendered of the page, without name and navigation', async () => {
  const shared: PageData = {
    page: 'area-error',
    status: 200,
    head: HEAD,
    props: { title: 'Staff', html: '' },
    area: { ...AREA, nav: [] },
  };
  const root = document.createElement('div');
  root.innerHTML = renderToString(
    <StaticRouter location="/admin/staff">
      <AreaApp site={SITE} first={shared} />
    </StaticRouter>,
  );
  document.body.append(root);
  const mismatches = jest.fn();
  expect(within(root).getByRole('heading', { level: 1 })).toHaveTextContent('Staff');
  await act(async () => {
    const tree = (
      <BrowserRouter>
        <AreaApp site={SITE} first={refusal()} />
      </BrowserRouter>
    );
    hydrateRoot(root, tree, { onRecoverableError: mismatches });
  });
  expect(mismatches).not.toHaveBeenCalled();
  expect(within(root).getByRole('heading', { level: 1 })).toHaveTextContent(REFUSAL.heading);
  root.remove();
});
