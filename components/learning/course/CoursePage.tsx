import type {
  CertificateList,
  CourseReview as CourseReviewData,
  CourseSearch,
  LearningCourse,
} from '../../contracts/schema';
import { loadOrReload } from '../../ui/loading/lazyModule';
import { CertificateRows } from '../certificates/CertificateRows';
import { LaterPart } from '../LaterPart';
import { LearningPart } from '../LearningPart';
import { useCourse } from '../state/useKnownProgress';
import { Completion } from './Completion';
import { CourseHead } from './CourseHead';
import { CourseNotes } from './CourseNotes';
import { Outline } from './Outline';
import { SearchHits } from './SearchHits';
import { SearchLessons } from './SearchLessons';

type CoursePageProps = {
  course: LearningCourse;
  search: CourseSearch | null;
  review?: CourseReviewData | null;
  certificates: CertificateList;
};

const loadReview = () =>
  loadOrReload(import('../reviews/CourseReview')).then(({ CourseReview }) => CourseReview);

/** An owned course: how far it is, what completes it, where to go on, its outline and what a search finds in it. */
export function CoursePage({ course: onPage, search, review = null, certificates }: CoursePageProps) {
  const { issued, unnamed } = certificates;
  const course = useCourse(onPage);
  return (
    <div className="learning stack">
      <CourseHead course={course} />
      <CourseNotes course={course} />
      <div className="course-body stack">
        <div className="stack course-outline">
          <SearchLessons slug={course.slug} query={search?.query ?? ''} />
          {search ? (
            <SearchHits search={search} courseHref={course.learnHref} />
          ) : (
            <WholeOutline course={course} />
          )}
        </div>
        <div className="course-aside stack">
          <Completion course={course} />
          {review && <LaterPart load={loadReview} props={{ courseId: course.id, review }} />}
          {issued.length + unnamed.length > 0 && (
            <LearningPart title="Certificate" className="panel learning-part--card">
              <CertificateRows certificates={certificates} />
            </LearningPart>
          )}
        </div>
      </div>
    </div>
  );
}

function WholeOutline({ course }: { course: LearningCourse }) {
  return (
    <section className="stack course-outline" aria-labelledby="outline-title">
      <h2 className="heading-m" id="outline-title">
        Outline
      </h2>
      <Outline sections={course.sections} nextId={course.resume?.id} isWide />
      {course.withdrawn.length > 0 && (
        <>
          <h2 className="heading-m">No longer part of the course</h2>
          <p className="muted">
            You began these lessons before they were withdrawn. They stay readable for you.
          </p>
          <Outline sections={[{ title: '', lessons: course.withdrawn }]} isWide />
        </>
      )}
    </section>
  );
}
