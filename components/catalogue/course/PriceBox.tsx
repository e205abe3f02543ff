import type { ReactNode } from 'react';
import type { CourseProps } from '../../contracts/schema';
import { type Format, LEVELS } from '../../format/format';
import { type Fact, FactList } from '../cards/FactList';
import { Price } from '../cards/Price';
import { BUY_ID } from './BuyBar';

type PriceBoxProps = {
  course: CourseProps;
  format: Format;
  /** The button that adds it to the cart. */
  actions?: ReactNode;
};

export function PriceBox({ course, format, actions }: PriceBoxProps) {
  const { picture } = course;
  return (
    <aside className="price-box panel" aria-label={`Price and key facts: ${course.name}`}>
      <img
        className="price-box__picture picture"
        src={picture.src}
        width={picture.width}
        height={picture.height}
        alt={picture.alt}
        decoding="async"
        fetchPriority="high"
      />
      <div className="price-box__body">
        {!course.retired && (
          <>
            <Price
              listPrice={course.listPrice}
              price={course.price}
              lowestBefore={course.lowestBefore}
              saleUntil={course.saleUntil}
              format={format}
            />
            <div className="price-box__actions" id={BUY_ID}>
              {actions}
              {course.sections.length > 0 && (
                <a
                  className="button button--quiet button--wide"
                  href={course.preview ? '#preview' : '#syllabus'}
                >
                  {course.preview ? 'Read a sample lesson' : 'See the syllabus'}
                </a>
              )}
              <a
                className="price-box__question"
                href={`/contact?about=${encodeURIComponent(course.slug)}`}
                rel="nofollow"
              >
                Ask about this course
              </a>
            </div>
          </>
        )}
        <FactList facts={factsOf(course, format)} />
        {course.provider && <p className="price-box__provider hint">{`Offered by ${course.provider}`}</p>}
      </div>
    </aside>
  );
}

function factsOf(course: CourseProps, format: Format): Fact[] {
  const facts: Fact[] = [];
  if (course.durationMin) {
    facts.push({ icon: 'clock', label: 'Workload', value: format.duration(course.durationMin) });
  }
  if (course.lessonCount > 0) {
    facts.push({ icon: 'book', label: 'Lessons', value: format.count(course.lessonCount) });
  }
  facts.push({ icon: 'level', label: 'Level', value: LEVELS[course.level] });
  if (course.languageName) {
    facts.push({ icon: 'globe', label: 'Language', value: course.languageName });
  }
  if (course.credits)
    facts.push({ icon: 'award', label: 'Continuing education', value: `${course.creditsText} credits` });
  return facts;
}
