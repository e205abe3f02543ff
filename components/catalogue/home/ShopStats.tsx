import type { HomeProps } from '../api/pageProps';
import { type Format, plural } from '../ui/format';

type ProofProps = { proof: HomeProps['proof']; format: Format };

/** The shop in four figures; one that says nothing yet is left out. */
export function Proof({ proof, format }: ProofProps) {
  const { courses, learners, instructors, rating, ratingCount } = proof;
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
    <dl className="proof">
      {figures.map(
        ({ label, value }) =>
          value && (
            <div className="proof__figure" key={label}>
              <dt className="proof__label">{label}</dt>
              <dd className="proof__value">{value}</dd>
            </div>
          ),
      )}
    </dl>
  );
}
