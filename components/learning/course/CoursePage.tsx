import { useSite } from '../../api/site';
import type {
  CertificateList,
  CourseReview as CourseReviewData,
  CourseSearch,
  CourseView,
  LearningCourse,
} from '../../contracts/schema';
import { formatOf } from '../../format/format';
import { isolated } from '../../model/isolated';
import { Icon } from '../../ui/Icon';
import { loadOrReload } from '../../ui/loading/lazyModule';
import { Notice } from '../../ui/Notice';
import { CertificateRows } from '../certificates/CertificateRows';
import { LaterPart } from '../LaterPart';
import { LearningPart } from '../LearningPart';
import { MissingLessons, missingLessons } from '../MissingLessons';
import { nextLessonId } from '../nextLesson';
import { useCourse } from '../state/useKnownProgress';
import { CourseHead } from './CourseHead';
import { Outline } from './Outline';

type CoursePageProps = {
  course: LearningCourse;
  search: CourseSearch | null;
  review?: CourseReviewData | null;
  certificates: CertificateList;
  refund?: CourseView['refund'];
  closure?: CourseView['closure'];
};

const loadReview = () =>
  loadOrReload(import('../reviews/CourseReview')).then(({ CourseReview }) => CourseReview);

const loadHits = () => loadOrReload(import('./SearchHits')).then(({ SearchHits }) => SearchHits);

/** An owned course: how far it is, what completes it, where to go on, its outline and what a search finds in it. */
export function CoursePage({
  course: onPage,
  search,
  review = null,
  certificates,
  refund = null,
  closure = null,
}: CoursePageProps) {
  const course = useCourse(onPage);
  const results = <Results course={course} review={review} certificates={certificates} />;
  const isCompleted = course.state === 'completed';
  return (
    <div className="learning stack">
      <CourseHead course={course} />
      <CourseNotes course={course} refund={refund} closure={closure} />
      <div className="course-body stack">
        {isCompleted && results}
        <div className="stack course-outline">
          <SearchLessons slug={course.slug} query={search?.query ?? ''} />
          {search ? (
            <LaterPart load={loadHits} props={{ search, courseHref: course.learnHref }} />
          ) : (
            <WholeOutline course={course} />
          )}
        </div>
        {!isCompleted && results}
      </div>
    </div>
  );
}

type ResultsProps = {
  course: LearningCourse;
  review: CourseReviewData | null;
  certificates: CertificateList;
};

/** What the course comes to: its certificate, what completes it, the learner's review. */
function Results({ course, review, certificates }: ResultsProps) {
  const { issued, unnamed } = certificates;
  return (
    <div className="course-aside stack">
      {issued.length + unnamed.length > 0 && (
        <LearningPart title="Certificate" className="panel learning-part--card">
          <CertificateRows certificates={certificates} />
        </LearningPart>
      )}
      <Completion course={course} />
      {review && <LaterPart load={loadReview} props={{ courseId: course.id, review }} />}
    </div>
  );
}

function WholeOutline({ course }: { course: LearningCourse }) {
  return (
    <section className="stack course-outline" aria-labelledby="outline-title">
      <h2 className="heading-m" id="outline-title">
        Outline
      </h2>
      <Outline course={course} sections={course.sections} nextId={nextLessonId(course)} isWide />
      {course.withdrawn.length > 0 && (
        <>
          <h2 className="heading-m">No longer part of the course</h2>
          <p className="muted">
            You began these lessons before they were withdrawn. They stay readable for you.
          </p>
          <Outline course={course} sections={[{ title: '', lessons: course.withdrawn }]} isWide />
        </>
      )}
    </section>
  );
}

type SearchLessonsProps = { slug: string; query: string };

/** Searches in the lessons of one course: a plain form. */
function SearchLessons({ slug, query }: SearchLessonsProps) {
  return (
    <search>
      <form className="lesson-search" action="/user-dashboard" method="get" data-navigate="">
        <input type="hidden" name="course" value={slug} />
        <label className="sr-only" htmlFor="lesson-search">
          Search in this course
        </label>
        <input
          key={query}
          id="lesson-search"
          className="lesson-search__input"
          type="search"
          name="q"
          defaultValue={query}
          placeholder="Search in this course"
          maxLength={200}
          autoComplete="off"
          enterKeyHint="search"
        />
        <button type="submit" className="button button--quiet lesson-search__button">
          <Icon name="search" />
          Search
        </button>
      </form>
    </search>
  );
}

// So few missing lessons are worth naming.
const MAX_NAMED = 5;

/** What completes a course, in words, and what is still missing, each linked. */
function Completion({ course }: { course: LearningCourse }) {
  const format = formatOf(useSite());
  const { rule, status, state, hasCertificate, completedAt, completionReason } = course;
  const missing = missingLessons(course);
  return (
    <LearningPart title="What completes it" className="panel learning-part--card">
      <p>{rule}</p>
      {completedAt && (
        <p className="muted">{`You completed it on ${format.date(completedAt)}. It stays completed.`}</p>
      )}
      {completionReason && <p>{`Our staff completed it for you: ${completionReason}`}</p>}
      {!status.isComplete && state === 'underway' && missing.length <= MAX_NAMED && (
        <>
          <p className="muted">Still missing:</p>
          <MissingLessons course={course} lessons={missing} />
        </>
      )}
      {!completedAt && (
        <p className="muted">
          {hasCertificate
            ? 'Then you get a certificate that anyone can check.'
            : 'This course has no certificate.'}
        </p>
      )}
      <p>
        <a href={course.href}>About this course</a>
      </p>
    </LearningPart>
  );
}

type CourseNotesProps = Pick<CourseView, 'course' | 'refund' | 'closure'>;

/** What changed about a course since it was begun. */
function CourseNotes({ course, refund, closure }: CourseNotesProps) {
  const format = formatOf(useSite());
  const { isRetired, rule, ruleChangedAt, successor, accessUntil } = course;
  // Whose access ends does not keep it.
  const kept = accessUntil ? 'No longer sold' : 'No longer sold, yours to keep';
  return (
    <>
      {ruleChangedAt && (
        <Notice title={`What completes this course changed on ${format.date(ruleChangedAt)}`}>
          <p>{`It counts as it is now: ${rule} What you have done stays done.`}</p>
        </Notice>
      )}
      {isRetired && (
        <Notice
          kind={closure ? 'warning' : 'info'}
          title={closure ? `This course ends on ${format.date(closure.endsAt)}` : kept}
        >
          <p>
            {closure
              ? `We have to end it for legal reasons: ${closure.reason} A certificate stays yours.`
              : `${accessUntil ? 'Until your access ends, lessons' : 'Lessons'}, notes, progress and the certificate stay as they are.`}
            {successor && (
              <>
                {' Its successor is '}
                <a href={successor.href}>{successor.name}</a>.
              </>
            )}
          </p>
          {refund && (
            <p>
              {closure
                ? 'You may ask for your money back: '
                : 'It was withdrawn soon after you bought it, so you may still ask for your money back: '}
              <a href={refund.href}>{`order ${isolated(refund.name)}`}</a>.
            </p>
          )}
        </Notice>
      )}
    </>
  );
}
