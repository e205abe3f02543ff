import type { CourseReview } from '../../contracts/schema';
import { ownReview } from '../../fixtures/learning/reviews';
import { LaterPart } from '../../learning/LaterPart';
import { loadOrReload } from '../../ui/loading/lazyModule';
import { State } from '../guide/Guide';

const loadReview = () =>
  loadOrReload(import('../../learning/reviews/CourseReview')).then(({ CourseReview }) => CourseReview);

const STATES: [label: string, review: CourseReview][] = [
  ['Review: too early', { refusal: 'Finish 4 required lessons first: you have finished 2.', own: null }],
  ['Review: not written yet', { refusal: null, own: null }],
  [
    'Review: published, and changed since',
    { refusal: null, own: ownReview({ editedAt: '2026-04-01T10:00:00Z' }) },
  ],
  ['Review: being checked', { refusal: null, own: ownReview({ state: 'pending' }) }],
  [
    'Review: not shown',
    {
      refusal: null,
      own: ownReview({ state: 'hidden', hiddenReason: 'It names a person who is not public.' }),
    },
  ],
];

/** A learner's own review of a course. */
export function ReviewStates() {
  return STATES.map(([label, review], place) => (
    <State key={label} label={label} ground="bare">
      <LaterPart load={loadReview} props={{ courseId: place + 1, review }} />
    </State>
  ));
}
