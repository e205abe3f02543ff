import type {
  CertificateList,
  CourseReview as CourseReviewData,
  CourseSearch,
  CourseView,
  LearningCourse,
} from '../../contracts/schema';
import { loadOrReload } from '../../ui/loading/lazyModule';
import { CertificateRows } from '../certificates/CertificateRows';
import { LaterPart } from '../LaterPart';
import { LearningPart } from '../LearningPart';
import { nextLessonId } from '../nextLesson';
import { useCourse } from '../state/useKnownProgress';
import { Completion } from './Completion';
import { CourseHead } from './CourseHead';
import { CourseNotes } from './CourseNotes';
import { Outline } from './Outline';
import { SearchLessons } from './SearchLessons';

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
