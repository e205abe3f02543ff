import endStyles from '../../../static/css/course-end.css?text';
import { useSession } from '../../api/auth';
import { useSite } from '../../api/site';
import type { CourseEndView, LearningCourse } from '../../contracts/schema';
import { formatOf } from '../../format/format';
import { isolated } from '../../model/isolated';
import { Icon } from '../../ui/Icon';
import { loadOrReload } from '../../ui/loading/lazyModule';
import { useStyles } from '../../ui/useStyles';
import { BackLink } from '../BackLink';
import { CertificateRows } from '../certificates/CertificateRows';
import { NextCourses } from '../dashboard/NextCourses';
import { LaterPart } from '../LaterPart';
import { LearningPart } from '../LearningPart';
import { MissingLessons, missingLessons } from '../MissingLessons';
import { useCourse } from '../state/useKnownProgress';
import { useRefreshOnCompletion } from '../state/useRefreshOnCompletion';

const loadReview = () =>
  loadOrReload(import('../reviews/CourseReview')).then(({ CourseReview }) => CourseReview);

/** The end of a course: what is still missing, or the certificate, the learner's review and what comes next. */
export function CourseEndPage({ view }: { view: CourseEndView }) {
  useStyles(endStyles);
  const course = useCourse(view.course);
  useRefreshOnCompletion(course);
  return (
    <div className="learning stack">
      <BackLink href={course.learnHref} text={course.name} />
      {course.status.isComplete ? <Completed view={view} course={course} /> : <NotYet course={course} />}
    </div>
  );
}

function NotYet({ course }: { course: LearningCourse }) {
  const missing = missingLessons(course);
  if (missing.length === 0)
    return (
      <section className="course-end panel stack" role="status">
        <h1>One moment</h1>
        <p>Your last lesson is being saved. Then this page shows what came of the course.</p>
      </section>
    );
  return (
    <section className="course-end panel stack">
      <h1>Almost there</h1>
      <p>{`${isolated(course.name)} is complete once you have done this too:`}</p>
      <MissingLessons course={course} lessons={missing} />
    </section>
  );
}

function Completed({ view, course }: { view: CourseEndView; course: LearningCourse }) {
  const { certificates, review, recommended } = view;
  const format = formatOf(useSite());
  const { name, sections, completedAt, hasCertificate, resume } = course;
  const first = useSession()?.learner.name.trim().split(/\s+/)[0];
  const count = sections.reduce((sum, { lessons }) => sum + lessons.length, 0);
  const hasOwn = certificates.issued.length + certificates.unnamed.length > 0;
  return (
    <>
      <header className="course-end course-end--completed panel stack">
        <span className="course-end__sign">
          <Icon name="award" />
        </span>
        <h1>{first ? `Well done, ${first}` : 'Well done'}</h1>
        <p className="course-end__course">{`You have completed ${isolated(name)}.`}</p>
        <p className="muted">
          {[
            count === 1 ? 'One lesson' : `${format.count(count)} lessons`,
            completedAt && `completed on ${format.date(completedAt)}`,
          ]
            .filter(Boolean)
            .join(' · ')}
        </p>
        {resume && (
          <p>
            <a href={resume.href}>Look at the lessons again</a>
          </p>
        )}
      </header>
      <div className="course-end__parts">
        <LearningPart title="Your certificate" className="panel learning-part--card">
          {hasOwn ? (
            <CertificateRows certificates={certificates} />
          ) : (
            <p className="muted">
              {hasCertificate ? 'It appears here within a minute.' : 'This course has no certificate.'}
            </p>
          )}
        </LearningPart>
        {review && <LaterPart load={loadReview} props={{ courseId: course.id, review }} />}
      </div>
      {recommended.length > 0 ? (
        <NextCourses courses={recommended} />
      ) : (
        <p>
          <a className="more-link" href="/shop">
            Find your next course
          </a>
        </p>
      )}
    </>
  );
}
