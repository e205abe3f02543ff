import { useSite } from '../../api/site';
import { AddButton, cardAction } from '../../cart/buttons/AddButton';
import { GiftButton } from '../../cart/buttons/GiftButton';
import { RelatedCards, RelatedSkeleton } from '../../catalogue/cards/RelatedCards';
import { CourseHero } from '../../catalogue/course/CourseHero';
import { CourseFit, Outcomes } from '../../catalogue/course/CourseLists';
import { Faq } from '../../catalogue/course/Faq';
import { InstructorCard } from '../../catalogue/course/InstructorCard';
import { PriceBox } from '../../catalogue/course/PriceBox';
import { RetiredNotice } from '../../catalogue/course/RetiredNotice';
import { ReviewList, ReviewsSkeleton } from '../../catalogue/course/ReviewList';
import { SectionNav } from '../../catalogue/course/SectionNav';
import { Syllabus } from '../../catalogue/course/Syllabus';
import type { Card, CourseProps, Reviews } from '../../contracts/schema';
import { formatOf } from '../../format/format';
import { Deferred } from '../../ui/loading/Deferred';
import { RichText } from '../../ui/RichText';
import { WishlistButton } from '../../wishlist/WishlistButton';

type CourseDetailsPageProps = CourseProps & {
  reviews: Reviews | Promise<Reviews>;
  related: Card[] | Promise<Card[]>;
};

export function CourseDetailsPage({ reviews, related, ...course }: CourseDetailsPageProps) {
  const format = formatOf(useSite());
  const { instructors, retired } = course;
  return (
    <>
      {/* The key closes what was opened when the next page is another course. */}
      <article className="course" key={course.id}>
        <CourseHero course={course} format={format} />
        <div className="course__columns stack">
          <PriceBox course={course} format={format} actions={<Actions course={course} />} />
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
      </article>
      <div className="page-section">
        <Deferred value={related} fallback={<RelatedSkeleton />}>
          {(value) => (
            <RelatedCards title="Learners also look at" cards={value} format={format} action={cardAction} />
          )}
        </Deferred>
      </div>
    </>
  );
}

function Actions({ course }: { course: CourseProps }) {
  const href = `/course-details?course=${encodeURIComponent(course.slug)}`;
  const product = { ...course, kind: 'course' as const, href };
  return (
    <>
      <AddButton product={product} variant="wide" />
      <WishlistButton product={product} />
      <GiftButton product={product} />
    </>
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
