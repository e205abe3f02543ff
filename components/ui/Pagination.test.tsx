import { render, screen } from '@testing-library/react';
import { FORMAT, shop } from '../fixtures/renderInShop';
import { Pagination } from './Pagination';

test('every page is a plain link, the present one is marked', () => {
  render(<Pagination pagination={shop().pagination} format={FORMAT} />);
  expect(screen.getByRole('link', { name: 'Page 4' }).getAttribute('href')).toBe('/shop?page=4');
  expect(screen.getByText('2').getAttribute('aria-current')).toBe('page');
});

test('previous and next page are marked for crawlers', () => {
  render(<Pagination pagination={shop().pagination} format={FORMAT} />);
  expect(screen.getByRole('link', { name: 'Previous' }).getAttribute('rel')).toBe('prev');
  expect(screen.getByRole('link', { name: 'Next' }).getAttribute('rel')).toBe('next');
});

test('one page needs no pagination', () => {
  const { container } = render(
    <Pagination
      pagination={{ previous: null, next: null, entries: [{ number: 1, href: null }] }}
      format={FORMAT}
    />,
  );
  expect(container).toBeEmptyDOMElement();
});
