import { screen } from '@testing-library/react';
import { instructor, renderInShop } from '../../fixtures/renderInShop';
import { InstructorPage } from './InstructorPage';

test('says who somebody is, how their courses are rated, and lists these', () => {
  renderInShop(<InstructorPage {...instructor()} />);
  expect(screen.getByRole('heading', { level: 1, name: 'Bo Sand' })).toBeVisible();
  expect(screen.getByText('3 courses')).toBeVisible();
  expect(screen.getByText('4.5 from 12 ratings')).toBeVisible();
  const list = screen.getByRole('region', { name: 'Courses by Bo Sand' });
  expect(list.querySelectorAll('.card__link')).toHaveLength(3);
});

test('somebody with one course and nothing else has neither title, text nor stars', () => {
  const alone = instructor({ title: '', bio: '', rating: null, ratingCount: 0, courseCount: 1, cards: [] });
  renderInShop(<InstructorPage {...alone} />);
  expect(screen.getByText('1 course')).toBeVisible();
  expect(screen.queryByRole('img', { name: /Rated/ })).toBeNull();
});

test('leads to all courses of somebody with many', () => {
  renderInShop(<InstructorPage {...instructor({ courseCount: 63, allHref: '/search?q=Bo' })} />);
  expect(screen.getByRole('link', { name: 'All 63 courses' })).toHaveAttribute('href', '/search?q=Bo');
});
