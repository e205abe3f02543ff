import { render, screen } from '@testing-library/react';
import { card, FORMAT } from '../../fixtures/renderInShop';
import { ProductCard } from './ProductCard';

function show(overrides: Parameters<typeof card>[0], eager = false) {
  return render(
    <ul>
      <ProductCard card={card(overrides)} format={FORMAT} heading="h2" eager={eager} />
    </ul>,
  );
}

test('the name is a heading and a plain link', () => {
  show({});
  expect(screen.getByRole('heading', { level: 2, name: 'Payroll Basics' })).toBeVisible();
  expect(screen.getByRole('link').getAttribute('href')).toBe('/course-details?course=payroll-basics');
});

test('level, length and lessons are shown, the language only when it is not the shop’s', () => {
  show({});
  expect(screen.getByText('Beginner · 1 hr 30 min · 12 lessons')).toBeVisible();
  show({ language: 'Deutsch', lessonCount: 1 });
  expect(screen.getByText('Beginner · 1 hr 30 min · 1 lesson · Deutsch')).toBeVisible();
});

test('a sale names both prices, also to those who cannot see the line through', () => {
  show({ listPrice: 10000, price: 7500 });
  expect(screen.getByText('$75.00')).toBeVisible();
  expect(screen.getByText('Regular price').parentElement).toHaveTextContent('Regular price $100.00');
  expect(screen.getByText('Save 25%')).toBeVisible();
  expect(screen.queryByText(/Lowest/)).toBeNull();
});

test('a sale names the lowest price before it where the server sends one', () => {
  show({ listPrice: 10000, price: 7500, lowestBefore: 9000 });
  expect(screen.getByText('Lowest in 30 days: $90.00')).toBeVisible();
});

test('nothing to pay reads Free', () => {
  show({ listPrice: 0, price: 0 });
  expect(screen.getByText('Free')).toBeVisible();
});

test('stars are one picture with words, and absent without ratings', () => {
  const { unmount } = show({});
  expect(screen.getByRole('img', { name: 'Rated 4.6 out of 5' })).toBeVisible();
  unmount();
  show({ rating: null, ratingCount: 0 });
  expect(screen.queryByRole('img', { name: /Rated/ })).toBeNull();
});

test('only a card in view fetches its picture at once', () => {
  show({ picture: { src: '/a.svg', width: 800, height: 450, alt: 'below' } });
  show({ picture: { src: '/a.svg', width: 800, height: 450, alt: 'in view' } }, true);
  expect(screen.getByAltText('below').getAttribute('loading')).toBe('lazy');
  expect(screen.getByAltText('in view').getAttribute('loading')).toBeNull();
});
