import { CourseHero } from '../catalogue/course/CourseHero';
import { CourseFit, Outcomes } from '../catalogue/course/CourseLists';
import { Faq } from '../catalogue/course/Faq';
import { InstructorCard } from '../catalogue/course/InstructorCard';
import { PriceBox } from '../catalogue/course/PriceBox';
import { RetiredNotice } from '../catalogue/course/RetiredNotice';
import { ReviewList, ReviewsSkeleton } from '../catalogue/course/ReviewList';
import { SectionNav } from '../catalogue/course/SectionNav';
import { Syllabus } from '../catalogue/course/Syllabus';
import { cards, course, FORMAT, review } from '../fixtures/catalogue';
import { RichText } from '../ui/RichText';
import { Group, State } from './guide/Guide';
import { JAPANESE, SENTENCE, UNBROKEN, WORDY } from './guide/texts';

const PLAIN = course();
const PORTRAIT = { ...PLAIN.picture, alt: 'Bo Sand at a desk' };
const BARE = course({
  name: 'A course of which little is known',
  subtitle: '',
  rating: null,
  ratingCount: 0,
  enrolled: 0,
  language: null,
  instructors: [],
  crumbs: [],
  sections: [],
  preview: null,
  price: 0,
  listPrice: 0,
  saleUntil: null,
  durationMin: null,
  lessonCount: 0,
  credits: null,
  creditsText: null,
  provider: '',
});
const LONG = course({
  name: UNBROKEN,
  subtitle: WORDY,
  provider: UNBROKEN,
  language: 'ja',
  instructors: [{ slug: 'x', href: '#x', name: UNBROKEN, title: WORDY, bio: SENTENCE, picture: PORTRAIT }],
  crumbs: [
    { name: 'Home', href: '/' },
    { name: UNBROKEN, href: '#course' },
    { name: 'Last', href: '#last' },
  ],
});
const RETIRED = course({ name: 'A course of the past', crumbs: [], retired: { successors: [] } });

const lesson = { title: 'Hours and rates', kind: 'text' as const, minutes: 18, preview: false };
const SYLLABUS = course({
  sections: [
    ...PLAIN.sections,
    {
      title: WORDY,
      minutes: 0,
      lessons: [
        { ...lesson, title: UNBROKEN },
        { ...lesson, title: JAPANESE, minutes: 0 },
      ],
    },
    { title: UNBROKEN, minutes: 615, lessons: Array.from({ length: 12 }, () => lesson) },
  ],
});

const PROSE = `<p>${SENTENCE}</p><h3>Afterwards you can</h3><ul><li>read a <strong>payslip</strong></li><li>${UNBROKEN}</li></ul>
<blockquote>${SENTENCE}</blockquote><table><thead><tr><th>Rate</th><th>From</th></tr></thead><tbody><tr><td>19 %</td><td>12,096</td></tr></tbody></table>
<p>A <a href="#course">link</a>, and <code>=SUM(A1:A9)</code>.</p>`;

export function CourseStates() {
  return (
    <>
      <Heads />
      <Group id="parts" title="Course page, part by part">
        <State label="On this page">
          <SectionNav course={PLAIN} />
        </State>
        <State label="Outcomes" ground="bare">
          <Outcomes outcomes={['Read a payslip', SENTENCE, UNBROKEN, 'Explain it']} />
        </State>
        <State label="Whom it suits">
          <CourseFit prerequisites={['None', UNBROKEN]} audience={['New clerks', SENTENCE]} />
        </State>
        <State label="Text of an editor">
          <RichText html={PROSE} className="prose" />
        </State>
        <State
          label="Syllabus: a lesson to read, lessons without a length, names longer than their place"
          ground="bare"
        >
          <Syllabus course={SYLLABUS} format={FORMAT} />
        </State>
        <State label="Instructors: known well with a picture, by name only, longer than their place">
          <InstructorCard
            instructor={{
              slug: 'bo',
              href: '#bo',
              name: 'Bo Sand',
              title: 'Adviser',
              bio: SENTENCE,
              picture: PORTRAIT,
            }}
          />
          <InstructorCard
            instructor={{ slug: 'jo', href: null, name: 'Jo', title: '', bio: '', picture: null }}
          />
          <InstructorCard
            instructor={{
              slug: 'x',
              href: '#x',
              name: UNBROKEN,
              title: UNBROKEN,
              bio: UNBROKEN,
              picture: null,
            }}
          />
        </State>
        <State label="Questions">
          <Faq faq={[...PLAIN.faq, { question: UNBROKEN, answer: UNBROKEN }]} />
        </State>
        <State label="Retired, with what follows it" ground="bare">
          <RetiredNotice successors={cards(2)} format={FORMAT} />
        </State>
      </Group>
      <Reviews />
    </>
  );
}

function Heads() {
  return (
    <Group id="course" title="Course page, its head and price">
      {[PLAIN, BARE, LONG].map((sample) => (
        <State key={sample.name} label={sample === PLAIN ? 'Head' : sample.name.slice(0, 40)} ground="bare">
          <CourseHero course={sample} format={FORMAT} />
        </State>
      ))}
      <State label="Price box: on sale, free and bare, retired, longer than its place" ground="bare">
        <div className="guide__boxes">
          {[PLAIN, BARE, RETIRED, LONG].map((sample) => (
            <PriceBox key={sample.name} course={sample} format={FORMAT} />
          ))}
        </div>
      </State>
    </Group>
  );
}

function Reviews() {
  const entries = [
    review(),
    review({ id: 4, author: 'A learner', isVerified: true, editedAt: '2026-03-09T10:00:00Z' }),
    review({ id: 2, title: '', body: '', author: 'Only stars', rating: 5 }),
    review({ id: 3, title: UNBROKEN, body: UNBROKEN, author: UNBROKEN, rating: 1 }),
  ];
  return (
    <Group id="ratings" title="Reviews">
      <State label="Some" ground="bare">
        <ReviewList
          reviews={{ items: entries, counts: [3, 0, 12, 80, 12_345] }}
          rating={4.6}
          format={FORMAT}
        />
      </State>
      <State label="Counted, but none written">
        <ReviewList reviews={{ items: [], counts: [0, 0, 0, 1, 0] }} rating={4} format={FORMAT} />
      </State>
      <State label="None">
        <ReviewList reviews={{ items: [], counts: [0, 0, 0, 0, 0] }} rating={null} format={FORMAT} />
      </State>
      <State label="On their way" ground="bare">
        <ReviewsSkeleton />
      </State>
    </Group>
  );
}
