import { useSession } from '../../api/auth';
import { useSite } from '../../api/site';
import { cardAction } from '../../cart/buttons/AddButton';
import { BuyButton } from '../../cart/buttons/BuyButton';
import { EnrolButton } from '../../cart/buttons/EnrolButton';
import { GiftButton } from '../../cart/buttons/GiftButton';
import { WideAddButton } from '../../cart/buttons/WideAddButton';
import { RelatedCards, RelatedSkeleton } from '../../catalogue/cards/RelatedCards';
import { CourseArticle } from '../../catalogue/course/CourseArticle';
import type { Card, CourseProps, Reviews } from '../../contracts/schema';
import { formatOf } from '../../format/format';
import { Deferred } from '../../ui/loading/Deferred';
import { WishlistButton } from '../../wishlist/WishlistButton';

type CourseDetailsPageProps = CourseProps & {
  reviews: Reviews | Promise<Reviews>;
  related: Card[] | Promise<Card[]>;
};

export function CourseDetailsPage({ reviews, related, ...course }: CourseDetailsPageProps) {
  const format = formatOf(useSite());
  return (
    <>
      {/* The key closes what was opened when the next page is another course. */}
      <CourseArticle
        key={course.id}
        course={course}
        reviews={reviews}
        format={format}
        actions={<Actions course={course} />}
        mainAction={<MainAction course={course} />}
      />
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
  const product = productOf(course);
  return (
    <>
      <MainAction course={course} />
      {course.price > 0 && <BuyButton product={product} />}
      <WishlistButton product={product} />
      {course.price > 0 && <GiftButton product={product} />}
    </>
  );
}

/** A free course needs no cart; what is owned leads to the course. */
function MainAction({ course }: { course: CourseProps }) {
  const isOwned = useSession()?.owned?.includes(course.id);
  if (course.price === 0 && !isOwned) return <EnrolButton course={course} />;
  return <WideAddButton product={productOf(course)} />;
}

function productOf(course: CourseProps) {
  const href = `/course-details?course=${encodeURIComponent(course.slug)}`;
  return { ...course, kind: 'course' as const, href };
}
