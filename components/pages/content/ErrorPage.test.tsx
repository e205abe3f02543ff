import { screen } from '@testing-library/react';
import { cards, renderInShop } from '../../fixtures/renderInShop';
import { ErrorPage } from './ErrorPage';

const WHOOPS = "Whoops, this is embarassing. Looks like the page you were looking for wasn't found.";

test('an unknown address is answered word for word', () => {
  renderInShop(<ErrorPage status={404} message="Page not found: /x" suggestions={[]} />);
  expect(screen.getByRole('heading', { level: 1, name: '404 Page not found: /x' })).toBeVisible();
  expect(screen.getByText(WHOOPS)).toBeVisible();
  expect(screen.getByRole('link', { name: 'Back to Home' }).getAttribute('href')).toBe('/');
});

test('suggestions follow when there are any', () => {
  renderInShop(<ErrorPage status={404} message="Page not found: /x" suggestions={cards(3)} />);
  expect(screen.getAllByRole('heading', { level: 3 })).toHaveLength(3);
});

test('another failure does not claim that a page is missing', () => {
  renderInShop(<ErrorPage status={503} message="Try again in a minute." suggestions={[]} />);
  expect(screen.getByRole('heading', { level: 1, name: '503 Try again in a minute.' })).toBeVisible();
  expect(screen.queryByText(WHOOPS)).toBeNull();
});
