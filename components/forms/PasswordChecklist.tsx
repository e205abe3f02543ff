import { Icon } from '../ui/Icon';
import type { PasswordRule } from './passwordRules';

type PasswordChecklistProps = { id: string; rules: PasswordRule[]; password: string };

/** The rules for a new password; those that are met are marked while it is typed. */
export function PasswordChecklist({ id, rules, password }: PasswordChecklistProps) {
  return (
    <ul className="password-rules hint" id={id} aria-label="The password needs">
      {rules.map(({ text, isMet }) => {
        const met = isMet(password);
        return (
          <li
            key={text}
            className={met ? 'password-rules__rule password-rules__rule--met' : 'password-rules__rule'}
          >
            <Icon name={met ? 'check' : 'minus'} />
            {text}
            {met && <span className="sr-only">, fulfilled</span>}
          </li>
        );
      })}
    </ul>
  );
}
