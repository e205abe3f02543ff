import type { HeadProps } from '../contracts/schema';
import { applyHead, readHead } from './head';

const COURSE: HeadProps = {
  title: 'Payroll Basics | Meridian Learning',
  description: 'From gross to net: "all" of it & more.',
  canonical: 'https://shop.example.org/course-details?course=payroll-basics',
  robots: 'index, follow',
  type: 'website',
  image: 'https://shop.example.org/static/images/a.svg',
  jsonLd: [{ '@type': 'Course', name: '</script><script>alert(1)</script>' }, { '@type': 'BreadcrumbList' }],
};
const ERROR: HeadProps = {
  ...COURSE,
  title: 'Error Page',
  canonical: null,
  robots: 'noindex',
  image: null,
  jsonLd: [],
};

beforeEach(() => {
  document.head.innerHTML =
    '<meta name="viewport" content="width=device-width"><link rel="icon" href="/i.svg">';
});

test.each([
  ['a course', COURSE],
  ['the error page', ERROR],
])('%s: what was applied is what is read', (_, head) => {
  applyHead(head);
  expect(readHead()).toEqual(head);
});

test('going from page to page leaves nothing behind', () => {
  applyHead(COURSE);
  applyHead(ERROR);
  expect(readHead()).toEqual(ERROR);
  applyHead(COURSE);
  expect(readHead()).toEqual(COURSE);
});

test('navigation back and forth adds no duplicate tags and leaves the rest of the head', () => {
  applyHead(COURSE);
  const once = document.head.childElementCount;
  applyHead(ERROR);
  applyHead(COURSE);
  expect(document.head.childElementCount).toBe(once);
  expect(document.head.querySelector('meta[name=viewport], link[rel=icon]')).not.toBeNull();
});

test('social tags have the same values', () => {
  applyHead(COURSE);
  const contentOf = (name: string) =>
    document.head.querySelector<HTMLMetaElement>(`meta[property="og:${name}"]`)?.content;
  expect(['title', 'description', 'url', 'image'].map(contentOf)).toEqual([
    COURSE.title,
    COURSE.description,
    COURSE.canonical,
    COURSE.image,
  ]);
});

test('an empty head reads as empty, not as an error', () => {
  document.head.innerHTML = '';
  expect(readHead()).toEqual({
    title: '',
    description: '',
    canonical: null,
    robots: '',
    type: '',
    image: null,
    jsonLd: [],
  });
});
