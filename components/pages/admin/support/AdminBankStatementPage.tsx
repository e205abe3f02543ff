import { BankStatement } from '../../../admin/BankStatement';
import type { BankStatementProps } from '../../../contracts/schema';

export function AdminBankStatementPage({ title, ...statement }: BankStatementProps) {
  return (
    <div className="area-page">
      <header className="area-page__head row">
        <div>
          <a className="area-page__back" href="/admin/bank-entries">
            All bank entries
          </a>
          <h1>{title}</h1>
        </div>
      </header>
      <BankStatement {...statement} />
    </div>
  );
}
