import { useSite } from '../../api/site';
import { cardAction } from '../../cart/buttons/AddButton';
import { CardGrid } from '../../catalogue/cards/CardGrid';
import { Stars } from '../../catalogue/cards/Stars';
import { Portrait } from '../../catalogue/course/InstructorCard';
import type { InstructorProps } from '../../contracts/schema';
import { formatOf } from '../../format/format';
import { isolated } from '../../model/isolated';
import { Breadcrumbs } from '../../ui/Breadcrumbs';
import { SectionHeading } from '../../ui/SectionHeading';

/** Who somebody is, and the courses of theirs that are on sale. */
export function InstructorPage(person: InstructorProps) {
  const { name, title, bio, rating, ratingCount, courseCount, cards, allHref, crumbs } = person;
  const format = formatOf(useSite());
  const courses = `${format.count(courseCount)} ${courseCount === 1 ? 'course' : 'courses'}`;
  return (
    <article>
      <header className="band">
        <div className="content__title-block">
          <Breadcrumbs crumbs={crumbs} />
          <div className="instructor-page__person">
            <Portrait {...person} isFirst />
            <div>
              <h1 dir="auto">{name}</h1>
              {title && <p className="instructor-page__title">{title}</p>}
              <p className="instructor-page__facts row">
                <span>{courses}</span>
                {rating !== null && (
                  <span className="instructor-page__rating row">
                    <Stars rating={rating} format={format} />
                    {`${format.rating(rating)} from ${format.count(ratingCount)} ${ratingCount === 1 ? 'rating' : 'ratings'}`}
                  </span>
                )}
              </p>
            </div>
          </div>
        </div>
      </header>
      <div className="instructor-page stack">
        {bio && (
          <p className="instructor-page__bio" dir="auto">
            {bio}
          </p>
        )}
        <section aria-labelledby="their-courses">
          <SectionHeading
            id="their-courses"
            title={`Courses by ${isolated(name)}`}
            {...(allHref && { link: { href: allHref, text: `All ${courses}` } })}
          />
          <CardGrid cards={cards} format={format} isList eager={3} action={cardAction} />
        </section>
      </div>
    </article>
  );
}
