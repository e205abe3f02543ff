import { render, screen, within } from '@testing-library/react';
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

test('whoever sees a part of the catalogue reads whose it is, nobody else does', () => {
  const { unmount } = renderInShop(<DefaultLayout>Hello</DefaultLayout>);
  expect(screen.queryByText(/^You see/)).toBeNull();
  unmount();
  const scope = { text: 'You see the 5 courses of Harbour Trust.', logo: '' };
  render(
    <SiteProvider site={{ ...SITE, scope }}>
      <DefaultLayout>Hello</DefaultLayout>
    </SiteProvider>,
  );
  expect(screen.getByText(scope.text)).toBeVisible();
});

test.each(['banner', 'contentinfo'])('the %s leads companies to their registration', (role) => {
  renderInShop(<DefaultLayout>Hello</DefaultLayout>);
  const link = within(screen.getByRole(role)).getByRole('link', { name: 'For teams' });
  expect(link.getAttribute('href')).toBe('/organization-register');
});
