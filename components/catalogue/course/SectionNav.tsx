import type { CourseProps } from '../api/pageProps';

type Part = { id: string; text: string };

/** Leads to the parts of a long page, and stays in view while one reads. */
export function PartsNav({ course }: { course: CourseProps }) {
  const parts = partsOf(course);
  return (
    <nav className="parts" aria-label="On this page">
      <ul className="parts__list">
        {parts.map((part) => (
          <li key={part.id}>
            <a className="parts__link" href={`#${part.id}`}>
              {part.text}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** Only what the page really has. */
function partsOf({ outcomes, descriptionHtml, sections, instructors, faq }: CourseProps): Part[] {
  const parts: (Part | false)[] = [
    outcomes.length > 0 && { id: 'outcomes', text: 'Outcomes' },
    descriptionHtml !== '' && { id: 'about', text: 'About' },
    sections.length > 0 && { id: 'syllabus', text: 'Syllabus' },
    instructors.length > 0 && {
      id: 'instructors',
      text: instructors.length > 1 ? 'Instructors' : 'Instructor',
    },
    faq.length > 0 && { id: 'faq', text: 'Questions' },
    { id: 'reviews', text: 'Reviews' },
  ];
  return parts.filter((part) => part !== false);
}
