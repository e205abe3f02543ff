import type { DashboardCourse, OngoingCourse } from '../../contracts/schema';
import { EmptyState } from '../../ui/EmptyState';
import { CourseProgress } from '../CourseProgress';
import { LearningPart } from '../LearningPart';
import { LessonFacts } from '../LessonFacts';
import { GO_ON } from '../learningLabels';

type ContinueProps = { ongoing: OngoingCourse[]; courses: DashboardCourse[] };
type CourseToGoOn = DashboardCourse & Pick<OngoingCourse, 'resume'>;

/** Where the learner left off: the last course large, up to two others small. */
export function Continue({ ongoing, courses }: ContinueProps) {
  const [last, ...others] = coursesToGoOn(ongoing, courses);
  if (!last) return courses.length > 0 ? null : <NoCourses />;
  return (
    <LearningPart title={last.state === 'new' ? 'Start learning' : 'Continue learning'}>
      <div className={others.length > 0 ? 'continue stack continue--several' : 'continue stack'}>
        <ContinueCard course={last} />
        {others.length > 0 && (
          <ul className="continue__others stack">
            {others.map((course) => (
              <li className="continue-row panel" key={course.id}>
                <a className="continue-row__link" href={course.resume?.href ?? course.learnHref}>
                  {course.name}
                </a>
                {course.resume && <p className="hint">{course.resume.title}</p>}
                <CourseProgress {...course} />
              </li>
            ))}
          </ul>
        )}
      </div>
    </LearningPart>
  );
}

function coursesToGoOn(ongoing: OngoingCourse[], courses: DashboardCourse[]): CourseToGoOn[] {
  return ongoing.flatMap(({ course, resume }) =>
    courses.filter(({ id }) => id === course).map((found) => ({ ...found, resume })),
  );
}

function ContinueCard({ course }: { course: CourseToGoOn }) {
  const { name, learnHref, picture, resume, state } = course;
  return (
    <article className="continue-card panel">
      <img className="picture continue-card__picture" {...picture} alt="" fetchPriority="high" />
      <div className="continue-card__body stack">
        <h3 className="continue-card__name">
          <a href={learnHref}>{name}</a>
        </h3>
        {resume && (
          <p className="continue-card__lesson">
            <span className="muted">{state === 'new' ? 'First lesson' : 'Next lesson'}</span>
            <strong>{resume.title}</strong>
            <LessonFacts lesson={resume} />
          </p>
        )}
        <CourseProgress {...course} />
        <a className="button continue-card__button" href={resume?.href ?? learnHref}>
          {GO_ON[state]}
          <span className="sr-only">{` ${name}`}</span>
        </a>
      </div>
    </article>
  );
}

function NoCourses() {
  return (
    <EmptyState
      title="Find your first course"
      text="A course you take brings its lessons, quizzes, your progress on every device, and a certificate that anyone can check."
      links={[{ href: '/shop', text: 'Find a course' }]}
    />
  );
}
