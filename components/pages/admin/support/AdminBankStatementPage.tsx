import { AreaHead } from '../../../admin/AreaHead';
import { BankStatement } from '../../../admin/BankStatement';
import type { BankStatementProps } from '../../../contracts/schema';

export function AdminBankStatementPage({ title, ...statement }: BankStatementProps) {
  return (
    <div className="area-page">
      <AreaHead heading={title} backHref="/admin/bank-entries" backText="All bank entries" />
      <BankStatement {...statement} />
    </div>
  );
}
