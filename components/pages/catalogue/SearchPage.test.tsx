import { screen, within } from '@testing-library/react';
import { cards, renderInShop, search } from '../../fixtures/renderInShop';
import { SearchPage } from './SearchPage';

const NONE = { total: 0, page: 1, pages: 1, cards: [] };

test('the box has the query, and the number of results is announced', () => {
  renderInShop(<SearchPage {...search()} />);
  expect(screen.getByRole('heading', { level: 1, name: 'Results for “payroll”' })).toBeVisible();
  expect(screen.getByRole('combobox')).toHaveValue('payroll');
  expect(screen.getByRole('status')).toHaveTextContent('83 results, page 2 of 4');
  expect(screen.getAllByRole('heading', { name: /^Course \d+$/ })).toHaveLength(24);
});

test('a truncated count is marked', () => {
  renderInShop(<SearchPage {...search({ total: 5000, isTruncated: true })} />);
  expect(screen.getByRole('status')).toHaveTextContent('5,000+ results');
});

test('a corrected query is shown, with a link to the typed one', () => {
  const about = { query: 'payrol', normalisedQuery: 'payroll', exactHref: '/search?q=payrol&exact=1' };
  renderInShop(<SearchPage {...search({ ...about, answer: 'corrected' })} />);
  expect(screen.getByText(/Showing results for/)).toHaveTextContent('Showing results for “payroll”.');
  const instead = screen.getByRole('link', { name: 'Search instead for “payrol”' });
  expect(instead.getAttribute('href')).toBe('/search?q=payrol&exact=1');
  expect(screen.getByRole('combobox')).toHaveValue('payrol');
});

test('partial results name the unknown words', () => {
  renderInShop(<SearchPage {...search({ answer: 'partial', unknown: ['qwrtz', 'zzz'] })} />);
  expect(screen.getByText(/Nothing has all of your words/)).toHaveTextContent(
    'These have some of them; nothing has “qwrtz” or “zzz”.',
  );
});

test('another spelling is offered', () => {
  renderInShop(<SearchPage {...search({ didYouMean: { text: 'payrolls', href: '/search?q=payrolls' } })} />);
  expect(screen.getByRole('link', { name: '“payrolls”' }).getAttribute('href')).toBe('/search?q=payrolls');
});

test('nothing found: how the query was read, what to try, and where to go on', () => {
  const popular = [{ text: 'vat', href: '/search?q=vat' }];
  const help = { answer: 'none', query: 'qwrtz', unknown: ['qwrtz'], popular, courses: cards(3) } as const;
  renderInShop(
    <SearchPage {...search({ ...NONE, ...help, normalisedQuery: 'qwrtz', unknown: ['qwrtz'] })} />,
  );
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
])('the interpretation of “%s” is shown', (normalisedQuery, unknown, words) => {
  renderInShop(<SearchPage {...search({ ...NONE, answer: 'none', query: '?', normalisedQuery, unknown })} />);
  expect(screen.getByText(words)).toBeVisible();
});

test('without a query there is no message of failure', () => {
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
