import { ActionView } from '../../../admin/actions/ActionView';
import { ExportData } from '../../../admin/learners/ExportData';
import type { AdminLearnerProps } from '../../../contracts/schema';

export function AdminLearnerPage({ exportCall, exportName, ...props }: AdminLearnerProps) {
  return (
    <ActionView
      {...props}
      beside={exportCall && <ExportData call={exportCall} fileName={exportName} />}
      isFolded
    />
  );
}
