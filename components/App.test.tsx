import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { act, render, screen } from '@testing-library/react';
import { BrowserRouter } from 'react-router-dom';
import type { PageData } from './contracts/schema';
import { SITE } from './fixtures/renderInShop';
import { setCookie } from './fixtures/setCookie';

const ROUTES = readFileSync(join(__dirname, 'routes.tsx'), 'utf8');
const PAGE = /^ {2}'?([\w-]+)'?: page\(\(\) => import\('(\.\/[^']+\/(\w+))'\)\)/gm;
const PAGES = [...ROUTES.matchAll(PAGE)].map(([, id = '', path = '', name = '']) => ({ id, path, name }));

let isHeaderBroken = false;

function Broken(): never {
  throw new Error('broken');
}

// Before any module is loaded: App and React must be the same for all tests.
// A module's marker does not count among its exports.
const MODULE = { __esModule: { value: true } };
for (const { path, name } of PAGES)
  jest.doMock(path, () => Object.defineProperties({ [name]: Broken }, MODULE));
jest.doMock('./layouts/HeaderActions', () => ({ HeaderActions: () => (isHeaderBroken ? <Broken /> : null) }));

beforeEach(() => {
  document.title = 'Title | Shop';
  globalThis.fetch = async () => Response.json({});
  setCookie('specialcouponcheck=1');
  jest
    .spyOn(performance, 'getEntriesByType')
    .mockReturnValue([
      { serverTiming: [{ name: 'request', description: '00ff' }] } as unknown as PerformanceEntry,
    ]);
});

/** Renders a page; returns the exceptions that a boundary caught. */
async function open(id: string): Promise<string[]> {
  const { App } = await import('./App');
  const { loadPage } = await import('./routes');
  await loadPage(id);
  const first = { page: id, status: 200, head: {}, props: { title: 'Title' } } as unknown as PageData;
  const caught: string[] = [];
  await act(async () => {
    render(
      <BrowserRouter>
        <App site={SITE} first={first} />
      </BrowserRouter>,
      { onCaughtError: (error) => caught.push((error as Error).message) },
    );
  });
  await screen.findByRole('alert');
  return caught;
}

function expectWayOn() {
  expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent('Something went wrong on this page');
  expect(screen.getByRole('alert')).toHaveTextContent('Reference: 00ff');
  expect(screen.getByRole('button', { name: 'Try again' })).toBeVisible();
  expect(screen.getByRole('link', { name: 'Back to Home' })).toHaveAttribute('href', '/');
  expect(screen.getByRole('banner')).toContainElement(screen.getByRole('link', { name: SITE.name }));
  expect(document.title).toBe('Title | Shop');
}

test('the table has every page of routes.tsx', async () => {
  const { PAGE_IDS } = await import('./routes');
  expect(PAGES.map(({ id }) => id)).toEqual(PAGE_IDS);
});

test.each(PAGES)('an exception of the page $id leaves head, navigation and a way on', async ({ id }) => {
  expect(await open(id)).toEqual(['broken']);
  expectWayOn();
  const { layoutOf } = await import('./routes');
  const { BlankLayout } = await import('./layouts/BlankLayout');
  const name = layoutOf(id) === BlankLayout ? 'Footer' : 'Main';
  expect(screen.getByRole('navigation', { name })).toBeInTheDocument();
});

test('an exception of the header leaves the logo, the footer and a way on', async () => {
  isHeaderBroken = true;
  expect(await open('about')).toEqual(['broken']);
  isHeaderBroken = false;
  expectWayOn();
  expect(screen.getByRole('navigation', { name: 'Footer' })).toBeVisible();
});
