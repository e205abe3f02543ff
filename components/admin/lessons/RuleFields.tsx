import type { OutlineFields } from '../../contracts/schema';
import type { FieldErrors } from '../../forms/call/callOutcome';
import { countOf, EditedCheck, EditedField, EditedSelect } from '../../forms/edited/EditedField';

type Rule = OutlineFields['rule'];
type RuleFieldsProps = { rule: Rule; errors: FieldErrors; onChange: (rule: Rule, tag?: string) => void };

const QUIZZES: { value: Rule['quizzes']; label: string }[] = [
  { value: 'passed', label: 'must be passed' },
  { value: 'attempted', label: 'must be taken' },
  { value: 'none', label: 'count as any lesson' },
];

/** The rule by which a course is completed. */
export function RuleFields({ rule, errors, onChange }: RuleFieldsProps) {
  const set = (change: Partial<Rule>, tag?: string) => onChange({ ...rule, ...change }, tag);
  return (
    <div className="outline-rule">
      <EditedField
        label="Required lessons to finish, in percent"
        inputMode="numeric"
        value={`${rule.requiredPercent}`}
        onText={(text) => set({ requiredPercent: countOf(text) }, 'required-percent')}
        error={errors['rule.requiredPercent']}
      />
      <EditedSelect
        label="Required quizzes"
        value={rule.quizzes}
        options={QUIZZES}
        onChoose={(value) => set({ quizzes: value as Rule['quizzes'] })}
      />
      {rule.quizzes === 'passed' && (
        <EditedField
          label="Quizzes are passed with, in percent"
          inputMode="numeric"
          value={`${rule.passMark}`}
          onText={(text) => set({ passMark: countOf(text) }, 'pass-mark')}
          error={errors['rule.passMark']}
        />
      )}
      <EditedCheck
        label="Whoever completes it gets a certificate"
        isChecked={rule.hasCertificate}
        onCheck={(hasCertificate) => set({ hasCertificate })}
      />
      {rule.hasCertificate && (
        <EditedField
          label="The certificate is valid for, in months"
          hint="Empty: it has no end."
          inputMode="numeric"
          value={rule.validMonths === null ? '' : `${rule.validMonths}`}
          onText={(text) => set({ validMonths: text.trim() ? countOf(text) : null }, 'valid-months')}
          error={errors['rule.validMonths']}
        />
      )}
    </div>
  );
}
