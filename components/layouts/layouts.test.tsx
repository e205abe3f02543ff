import { render, screen } from '@testing-library/react';
import { SiteProvider } from '../api/site';
import { renderInShop, SITE } from '../fixtures/renderInShop';
import { BlankLayout } from './BlankLayout';
import { DefaultLayout, LayoutOne } from './DefaultLayout';

const LAYOUTS = { BlankLayout, DefaultLayout, LayoutOne };

test.each(Object.entries(LAYOUTS))('%s has its landmarks and a link past them', (_, Layout) => {
  renderInShop(<Layout>Hello</Layout>);
  for (const role of ['banner', 'main', 'contentinfo']) expect(screen.getByRole(role)).toBeInTheDocument();
  expect(screen.getByRole('link', { name: 'Skip to content' }).getAttribute('href')).toBe('#main');
  expect(screen.getByRole('main')).toHaveTextContent('Hello');
  expect(screen.getByRole('main').id).toBe('main');
});

test.each(Object.entries(LAYOUTS))('%s links to the legal pages that the shop has written', (_, Layout) => {
  const legal = [{ href: '/imprint', text: 'Impressum' }];
  render(
    <SiteProvider site={{ ...SITE, legal }}>
      <Layout>Hello</Layout>
    </SiteProvider>,
  );
  expect(screen.getByRole('link', { name: 'Impressum' }).getAttribute('href')).toBe('/imprint');
});

test('the shop marks itself in the main navigation', () => {
  renderInShop(<LayoutOne>Hello</LayoutOne>);
  expect(screen.getByText('Catalogue').getAttribute('aria-current')).toBe('true');
});
