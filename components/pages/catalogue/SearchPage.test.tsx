import { screen, within } from '@testing-library/react';
import { cards, renderInShop, search } from '../ui/factories';
import { SearchPage } from './SearchPage';

const NONE = { total: 0, page: 1, pages: 1, cards: [] };

test('the page keeps the query in the box and announces how many results there are', () => {
  renderInShop(<SearchPage {...search()} />);
  expect(screen.getByRole('heading', { level: 1, name: 'Results for “payroll”' })).toBeVisible();
  expect(screen.getByRole('combobox')).toHaveValue('payroll');
  expect(screen.getByRole('status')).toHaveTextContent('83 results, page 2 of 4');
  expect(screen.getAllByRole('heading', { name: /^Course \d+$/ })).toHaveLength(24);
});

test('a count that goes on says so', () => {
  renderInShop(<SearchPage {...search({ total: 5000, isCut: true })} />);
  expect(screen.getByRole('status')).toHaveTextContent('5,000+ results');
});

test('a mended query is said, with the way back to what was typed', () => {
  const about = { query: 'payrol', understood: 'payroll', asTypedHref: '/search?q=payrol&exact=1' };
  renderInShop(<SearchPage {...search({ ...about, answer: 'corrected' })} />);
  expect(screen.getByText(/Showing results for/)).toHaveTextContent('Showing results for “payroll”.');
  const instead = screen.getByRole('link', { name: 'Search instead for “payrol”' });
  expect(instead.getAttribute('href')).toBe('/search?q=payrol&exact=1');
  expect(screen.getByRole('combobox')).toHaveValue('payrol');
});

test('results with only some of the words say which nobody knows', () => {
  renderInShop(<SearchPage {...search({ answer: 'partial', unknown: ['qwrtz', 'zzz'] })} />);
  expect(screen.getByText(/Nothing has all of your words/)).toHaveTextContent(
    'These have some of them; nothing has “qwrtz” or “zzz”.',
  );
});

test('another spelling is offered', () => {
  renderInShop(<SearchPage {...search({ didYouMean: { text: 'payrolls', href: '/search?q=payrolls' } })} />);
  expect(screen.getByRole('link', { name: '“payrolls”' }).getAttribute('href')).toBe('/search?q=payrolls');
});

test('nothing found: what was understood, what to try, and where to go on', () => {
  const popular = [{ text: 'vat', href: '/search?q=vat' }];
  const help = { answer: 'none', query: 'qwrtz', unknown: ['qwrtz'], popular, courses: cards(3) } as const;
  renderInShop(<SearchPage {...search({ ...NONE, ...help, understood: 'qwrtz', unknown: ['qwrtz'] })} />);
  expect(screen.getByRole('heading', { level: 1, name: 'Nothing found for “qwrtz”' })).toBeVisible();
  expect(screen.getByText('No course or material has the word “qwrtz”.')).toBeVisible();
  const searches = within(screen.getByRole('region', { name: 'Popular searches' }));
  expect(searches.getByRole('link', { name: 'vat' }).getAttribute('href')).toBe('/search?q=vat');
  expect(screen.getByRole('region', { name: 'Subjects' })).toHaveTextContent('Tax');
  expect(screen.getAllByRole('heading', { level: 3 })).toHaveLength(3);
});

test.each([
  ['', [], 'There is no word or number in what you typed.'],
  ['tax audit', [], 'Each of these words is in the catalogue, but no title has them together.'],
  ['ab cd', ['ab', 'cd'], 'No course or material has the words “ab”, “cd”.'],
])('what was understood of “%s” is said', (understood, unknown, words) => {
  renderInShop(<SearchPage {...search({ ...NONE, answer: 'none', query: '?', understood, unknown })} />);
  expect(screen.getByText(words)).toBeVisible();
});

test('before anything is asked there is no word of failure', () => {
  renderInShop(<SearchPage {...search({ ...NONE, answer: 'empty', query: '', courses: cards(3) })} />);
  expect(screen.getByRole('heading', { level: 1, name: 'Search the catalogue' })).toBeVisible();
  expect(screen.queryByText(/found|spelling/)).toBeNull();
  expect(screen.getByRole('region', { name: 'Popular courses' })).toBeVisible();
});

test('filters that leave nothing can be dropped', () => {
  renderInShop(<SearchPage {...search({ ...NONE, clearHref: '/search?q=payroll' })} />);
  const clear = screen.getByRole('link', { name: 'Clear all filters' });
  expect(clear.getAttribute('href')).toBe('/search?q=payroll');
});
