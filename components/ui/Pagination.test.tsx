import { render, screen } from '@testing-library/react';
import { FORMAT, shop } from '../ui/factories';
import { Pager } from './Pager';

test('every page is a plain link, the present one is marked', () => {
  render(<Pager pager={shop().pager} format={FORMAT} />);
  expect(screen.getByRole('link', { name: 'Page 4' }).getAttribute('href')).toBe('/shop?page=4');
  expect(screen.getByText('2').getAttribute('aria-current')).toBe('page');
});

test('the neighbours are told to crawlers', () => {
  render(<Pager pager={shop().pager} format={FORMAT} />);
  expect(screen.getByRole('link', { name: 'Previous' }).getAttribute('rel')).toBe('prev');
  expect(screen.getByRole('link', { name: 'Next' }).getAttribute('rel')).toBe('next');
});

test('one page needs no pager', () => {
  const { container } = render(
    <Pager pager={{ previous: null, next: null, entries: [{ number: 1, href: null }] }} format={FORMAT} />,
  );
  expect(container).toBeEmptyDOMElement();
});
