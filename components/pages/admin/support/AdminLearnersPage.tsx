import { FindLearner } from '../../../admin/learners/FindLearner';
import type { LearnersProps } from '../../../contracts/schema';

export function AdminLearnersPage({ title, ...found }: LearnersProps) {
  return (
    <div className="area-page">
      <h1>{title}</h1>
      <FindLearner {...found} />
    </div>
  );
}
