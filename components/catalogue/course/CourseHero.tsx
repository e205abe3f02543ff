import type { CourseProps } from '../../contracts/schema';
import { type Format, LEVELS, plural } from '../../format/format';
import { isolated } from '../../model/isolated';
import { Breadcrumbs } from '../../ui/Breadcrumbs';
import { Icon } from '../../ui/Icon';
import { Stars } from '../cards/Stars';

type CourseHeroProps = { course: CourseProps; format: Format };

export function CourseHero({ course, format }: CourseHeroProps) {
  const names = course.instructors.map((instructor) => instructor.name);
  return (
    <header className="course-hero">
      <div className="course-hero__inner">
        <Breadcrumbs crumbs={course.crumbs} />
        <h1 dir="auto" className="course-hero__title">
          {course.name}
        </h1>
        {course.subtitle && (
          <p dir="auto" className="course-hero__subtitle">
            {course.subtitle}
          </p>
        )}
        <RatingSummary course={course} format={format} />
        <ul className="course-hero__facts row">
          {names.length > 0 && (
            <li>
              <Icon name="award" />
              {`Taught by ${names.map(isolated).join(', ')}`}
            </li>
          )}
          <li>
            <Icon name="level" />
            {LEVELS[course.level]}
          </li>
          {course.languageName && (
            <li>
              <Icon name="globe" />
              {course.languageName}
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

/** Rating and number of learners; without either it shows nothing instead of "0". */
function RatingSummary({ course, format }: CourseHeroProps) {
  const { rating, ratingCount, enrolled } = course;
  if (rating === null && enrolled === 0) return null;
  return (
    <p className="course-hero__ratings row">
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
