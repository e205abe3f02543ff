import { act, screen } from '@testing-library/react';
import type { Reviews } from '../../contracts/schema';
import { card, course, renderInShop, review } from '../../fixtures/renderInShop';
import { CourseDetailsPage } from './CourseDetailsPage';

const reviews = { items: [review()], counts: [0, 0, 0, 1, 0] };

test('the price box shows price, former price, end of the sale and the key facts', () => {
  renderInShop(<CourseDetailsPage {...course()} reviews={reviews} related={[]} />);
  const box = screen.getByRole('complementary', { name: /^Price and key facts/ });
  expect(box).toHaveTextContent('$75.00');
  expect(box).toHaveTextContent('Regular price $100.00');
  expect(box).toHaveTextContent('Sale price until December 1, 2026');
  expect(box).toHaveTextContent(
    /Workload1.hr.30.min.*Lessons2.*LevelBeginner.*Continuing education1\.5 credits/,
  );
});

test('the preview lesson can be read in the syllabus', () => {
  renderInShop(<CourseDetailsPage {...course()} reviews={reviews} related={[]} />);
  expect(screen.getByText('Two people, one salary.')).toBeVisible();
  expect(screen.getByRole('link', { name: 'Read a sample lesson' }).getAttribute('href')).toBe('#preview');
});

test.each([
  [0, null],
  [5, /^This course comes as an outline with study sheets: /],
  [1, /^1 of its lessons is a study sheet: /],
])('with %d study sheets the syllabus says %s', (sheetCount, words) => {
  renderInShop(
    <CourseDetailsPage
      {...course({ sheetCount, lessonCount: 6 })}
      reviews={{ items: [], counts: [] }}
      related={[]}
    />,
  );
  expect(screen.queryByText(words ?? /study sheet/) !== null).toBe(words !== null);
});

test('a course without lessons says that it comes as an outline', () => {
  const bare = course({ sections: [], lessonCount: 0, preview: null });
  renderInShop(<CourseDetailsPage {...bare} reviews={reviews} related={[]} />);
  expect(screen.getByText(/^This course comes as an outline: one study guide/)).toBeVisible();
});

test('a retired course has no price and names its successors', () => {
  const retired = { successors: [card({ id: 2, name: 'Payroll Today', price: 100, listPrice: 100 })] };
  renderInShop(<CourseDetailsPage {...course({ retired })} reviews={reviews} related={[]} />);
  expect(screen.getByText('This course is no longer offered')).toBeVisible();
  expect(screen.getByRole('link', { name: 'Payroll Today' })).toBeVisible();
  expect(screen.queryByText('$75.00')).toBeNull();
});

test('a generated description is marked', () => {
  renderInShop(<CourseDetailsPage {...course({ isGenerated: true })} reviews={reviews} related={[]} />);
  expect(screen.getByText("Description composed from the catalogue's data")).toBeVisible();
});

test('reviews may come later', async () => {
  let deliver: (value: Reviews) => void = () => undefined;
  const later = new Promise<Reviews>((resolve) => {
    deliver = resolve;
  });
  await act(async () => renderInShop(<CourseDetailsPage {...course()} reviews={later} related={[]} />));
  expect(screen.getByText('Loading reviews')).toBeInTheDocument();
  await act(async () => deliver(reviews));
  expect(screen.getByText('Short and useful.')).toBeVisible();
  expect(screen.queryByText('Loading reviews')).toBeNull();
});

test('a course on sale can be put in the cart, on the wishlist and given, a retired one cannot', () => {
  const { unmount } = renderInShop(<CourseDetailsPage {...course()} reviews={reviews} related={[]} />);
  expect(screen.getAllByRole('button').map((button) => button.textContent)).toEqual([
    'Add to cart',
    'Buy now',
    'Add to wishlist',
    'Give as a gift',
  ]);
  unmount();
  const retired = course({ retired: { successors: [] } });
  renderInShop(<CourseDetailsPage {...retired} reviews={reviews} related={[]} />);
  expect(screen.queryByRole('button')).toBeNull();
});
