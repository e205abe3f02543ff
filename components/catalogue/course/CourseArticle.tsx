import type { ReactNode } from 'react';
import type { CourseProps, Reviews } from '../../contracts/schema';
import type { Format } from '../../format/format';
import { Deferred } from '../../ui/loading/Deferred';
import { RichText } from '../../ui/RichText';
import { BuyBar } from './BuyBar';
import { CourseHero } from './CourseHero';
import { CourseFit, Outcomes } from './CourseLists';
import { Faq } from './Faq';
import { InstructorCard } from './InstructorCard';
import { PriceBox } from './PriceBox';
import { RetiredNotice } from './RetiredNotice';
import { ReviewList, ReviewsSkeleton } from './ReviewList';
import { SectionNav } from './SectionNav';
import { Syllabus } from './Syllabus';

type CourseArticleProps = {
  course: CourseProps;
  reviews: Reviews | Promise<Reviews>;
  format: Format;
  /** Below the price; null in a preview, which sells nothing. */
  actions: ReactNode;
  /** The main one of the actions once more, for the bar of phones. */
  mainAction?: ReactNode;
};

/** All that the shop says of a course. */
export function CourseArticle({ course, reviews, format, actions, mainAction }: CourseArticleProps) {
  const { instructors, retired } = course;
  return (
    <article className="course">
      <CourseHero course={course} format={format} />
      <div className="course__columns stack">
        <PriceBox course={course} format={format} actions={actions} />
        <div className="course__text stack">
          <SectionNav course={course} />
          {retired && <RetiredNotice successors={retired.successors} format={format} />}
          <Outcomes outcomes={course.outcomes} />
          <About html={course.descriptionHtml} isGenerated={course.isGenerated} />
          <Syllabus course={course} format={format} />
          <CourseFit prerequisites={course.prerequisites} audience={course.audience} />
          {instructors.length > 0 && (
            <section className="course-section" id="instructors">
              <h2 className="course-section__title">
                {instructors.length > 1 ? 'Your instructors' : 'Your instructor'}
              </h2>
              {instructors.map((instructor) => (
                <InstructorCard key={instructor.slug} instructor={instructor} />
              ))}
            </section>
          )}
          <Faq faq={course.faq} />
          <section className="course-section" id="reviews">
            <h2 className="course-section__title">What learners say</h2>
            <Deferred value={reviews} fallback={<ReviewsSkeleton />}>
              {(value) => <ReviewList reviews={value} rating={course.rating} format={format} />}
            </Deferred>
          </section>
        </div>
      </div>
      {mainAction && !retired && <BuyBar course={course} format={format} action={mainAction} />}
    </article>
  );
}

function About({ html, isGenerated }: { html: string; isGenerated: boolean }) {
  if (!html) return null;
  return (
    <section className="course-section" id="about">
      <h2 className="course-section__title">About this course</h2>
      <RichText html={html} className="prose" />
      {isGenerated && (
        <p className="course-section__note hint">Description composed from the catalogue's data</p>
      )}
    </section>
  );
}
