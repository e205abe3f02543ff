import type { CourseProps } from '../../contracts/schema';

type Part = { id: string; text: string };

/** Links to the parts of a long page; it stays in view while the page scrolls. */
export function SectionNav({ course }: { course: CourseProps }) {
  const parts = partsOf(course);
  return (
    <nav className="section-nav" aria-label="On this page">
      <ul className="section-nav__list">
        {parts.map((part) => (
          <li key={part.id}>
            <a className="section-nav__link" href={`#${part.id}`}>
              {part.text}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** The parts that the page has. */
function partsOf({ outcomes, descriptionHtml, instructors, faq }: CourseProps): Part[] {
  const parts: (Part | false)[] = [
    outcomes.length > 0 && { id: 'outcomes', text: 'Outcomes' },
    descriptionHtml !== '' && { id: 'about', text: 'About' },
    { id: 'syllabus', text: 'Syllabus' },
    instructors.length > 0 && {
      id: 'instructors',
      text: instructors.length > 1 ? 'Instructors' : 'Instructor',
    },
    faq.length > 0 && { id: 'faq', text: 'Questions' },
    { id: 'reviews', text: 'Reviews' },
  ];
  return parts.filter((part) => part !== false);
}
