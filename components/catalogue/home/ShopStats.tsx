import type { HomeProps } from '../../contracts/schema';
import { type Format, plural } from '../../format/format';

type ShopStatsProps = { stats: HomeProps['stats']; format: Format };

/** The shop in four figures; a figure without a value is not shown. */
export function ShopStats({ stats, format }: ShopStatsProps) {
  const { courses, learners, instructors, rating, ratingCount } = stats;
  const figures = [
    { label: plural(courses, 'course', 'courses'), value: courses > 0 ? format.count(courses) : null },
    { label: plural(learners, 'learner', 'learners'), value: learners > 0 ? format.count(learners) : null },
    {
      label: plural(instructors, 'practising instructor', 'practising instructors'),
      value: instructors > 0 ? format.count(instructors) : null,
    },
    {
      label: `out of 5, from ${format.count(ratingCount)} ${plural(ratingCount, 'rating', 'ratings')}`,
      value: rating === null ? null : format.rating(rating),
    },
  ];
  return (
    <dl className="shop-stats">
      {figures.map(
        ({ label, value }) =>
          value && (
            <div className="shop-stats__figure" key={label}>
              <dt className="shop-stats__label">{label}</dt>
              <dd className="shop-stats__value">{value}</dd>
            </div>
          ),
      )}
    </dl>
  );
}
