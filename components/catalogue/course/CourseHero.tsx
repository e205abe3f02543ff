import type { CourseProps } from '../api/pageProps';
import { Breadcrumbs } from '../ui/Breadcrumbs';
import { type Format, LEVELS, plural } from '../ui/format';
import { Icon } from '../ui/Icon';
import { Stars } from './Stars';

type CourseHeroProps = { course: CourseProps; format: Format };

export function CourseHero({ course, format }: CourseHeroProps) {
  const names = course.instructors.map((instructor) => instructor.name);
  return (
    <header className="course-hero">
      <div className="course-hero__inner">
        <Breadcrumbs crumbs={course.crumbs} />
        <h1 className="course-hero__title">{course.name}</h1>
        {course.subtitle && <p className="course-hero__subtitle">{course.subtitle}</p>}
        <Standing course={course} format={format} />
        <ul className="course-hero__facts">
          {names.length > 0 && (
            <li>
              <Icon name="award" />
              {`Taught by ${names.join(', ')}`}
            </li>
          )}
          <li>
            <Icon name="level" />
            {LEVELS[course.level]}
          </li>
          {course.language && (
            <li>
              <Icon name="globe" />
              {format.language(course.language)}
            </li>
          )}
          <li>
            <Icon name="calendar" />
            <span>
              Updated <time dateTime={course.updatedAt}>{format.date(course.updatedAt)}</time>
            </span>
          </li>
        </ul>
      </div>
    </header>
  );
}

/** Rating and learners; a course without either says nothing instead of "0". */
function Standing({ course, format }: CourseHeroProps) {
  const { rating, ratingCount, enrolled } = course;
  if (rating === null && enrolled === 0) return null;
  return (
    <p className="course-hero__standing">
      {rating !== null && (
        <a className="course-hero__rating" href="#reviews">
          <strong>{format.rating(rating)}</strong> <Stars rating={rating} format={format} />{' '}
          <span className="course-hero__count">
            {`${format.count(ratingCount)} ${plural(ratingCount, 'rating', 'ratings')}`}
          </span>
        </a>
      )}
      {enrolled > 0 && <span>{`${format.count(enrolled)} ${plural(enrolled, 'learner', 'learners')}`}</span>}
    </p>
  );
}
