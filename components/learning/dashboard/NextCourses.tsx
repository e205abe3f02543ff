import { useSite } from '../../api/site';
import type { RecommendedCourse } from '../../contracts/schema';
import { formatOf } from '../../format/format';
import { LearningPart } from '../LearningPart';

/** Courses to go on with after these, and why each. */
export function NextCourses({ courses }: { courses: RecommendedCourse[] }) {
  const format = formatOf(useSite());
  return (
    <LearningPart title="What to learn next" link={{ href: '/shop', text: 'All courses' }}>
      <ul className="card-grid card-grid--4 card-grid--row stack">
        {courses.map((course) => (
          <li className="card" key={course.id}>
            <img className="card__picture" {...course.picture} alt="" loading="lazy" />
            <p className="card__category">{course.reason}</p>
            <h3 className="card__name heading-s">
              <a className="card__link" href={course.href}>
                {course.name}
              </a>
            </h3>
            <p className="card__price">
              <strong className="card__amount">{format.price(course.price)}</strong>
            </p>
          </li>
        ))}
      </ul>
    </LearningPart>
  );
}
