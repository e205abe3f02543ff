/** @jest-environment node */

import { createElement } from 'react';
import { renderToString } from 'react-dom/server';
import table from '../contracts/routes.json';
import { BlankLayout } from './layouts/BlankLayout';
import { DefaultLayout, LayoutOne } from './layouts/DefaultLayout';
import { ChunkFailed, loadedPage } from './pageTable';
import { layoutOf, loadPage, PAGE_IDS } from './routes';

const served = [...table.pages, ...table.own_pages].filter((page) => page.served).map((page) => page.id);

test('the table has the 33 pages of the specification, each once', () => {
  const { pages } = table;
  expect([
    pages.length,
    new Set(pages.map((page) => page.id)).size,
    new Set(pages.map((page) => page.path)).size,
  ]).toEqual([33, 33, 33]);
});

test('every served page, the error page and the styleguide have a component, and no other page', () => {
  expect([...PAGE_IDS].sort()).toEqual([...served, 'error', 'styleguide'].sort());
});

test.each([...served, 'error'])('%s can be loaded, and stays loaded', async (id) => {
  const component = await loadPage(id);
  expect(typeof component).toBe('function');
  expect([loadedPage(id), await loadPage(id)]).toEqual([component, component]);
});

test('the layouts are those of the specification', () => {
  expect([
    layoutOf('shop'),
    layoutOf('shop-details'),
    layoutOf('course-details'),
    layoutOf('search'),
  ]).toEqual(Array(4).fill(LayoutOne));
  expect([layoutOf('login'), layoutOf('verify')]).toEqual([BlankLayout, BlankLayout]);
  expect([layoutOf('about'), layoutOf('cart')]).toEqual([DefaultLayout, DefaultLayout]);
  expect(renderToString(createElement(layoutOf('home'), null, 'page'))).toBe('page');
});

test('the error page, which is no row of the table, has the default layout', () => {
  expect(layoutOf('error')).toBe(DefaultLayout);
});

test('an unknown page is an error, but does not reload', async () => {
  const failure: unknown = await loadPage('nonsense').catch((cause: unknown) => cause);
  expect(failure).toEqual(new Error('There is no page called nonsense'));
  expect(failure).not.toBeInstanceOf(ChunkFailed);
});

test('a chunk that fails to load is an error of its own, and is fetched again', async () => {
  jest.resetModules();
  jest.doMock('./pages/content/AboutPage', () => {
    throw new TypeError('Failed to fetch dynamically imported module');
  });
  const routes = await import('./routes');
  const failure = (await import('./pageTable')).ChunkFailed;
  await expect(routes.loadPage('about')).rejects.toThrow(failure);
  jest.dontMock('./pages/content/AboutPage');
  expect(typeof (await routes.loadPage('about'))).toBe('function');
});

test('a page that was not loaded is not rendered', () => {
  expect(() => loadedPage('nonsense')).toThrow('The page nonsense was not loaded before it was rendered');
});
