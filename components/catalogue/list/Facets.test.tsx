import { render, screen } from '@testing-library/react';
import { FORMAT } from '../../fixtures/renderInShop';
import { Facets } from './Facets';

const option = {
  value: 'de',
  label: 'German',
  count: 5,
  href: '/shop?language=de',
  selected: false,
  nofollow: true,
};

test('an option is a link with its count; a selected one is marked', () => {
  const options = [option, { ...option, value: 'en', label: 'English', selected: true, nofollow: false }];
  render(<Facets facets={[{ name: 'language', label: 'Language', options }]} total={5} format={FORMAT} />);
  const german = screen.getByRole('link', { name: 'German 5' });
  const english = screen.getByRole('link', { name: 'English 5' });
  expect([german.getAttribute('href'), german.getAttribute('rel')]).toEqual([
    '/shop?language=de',
    'nofollow',
  ]);
  expect([german, english].map((link) => link.getAttribute('aria-current'))).toEqual([null, 'true']);
  expect(english.getAttribute('rel')).toBeNull();
});
