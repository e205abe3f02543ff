import { type InputHTMLAttributes, useState } from 'react';
import { Icon } from '../ui/Icon';
import { FieldShell, fieldProps } from './FieldShell';
import type { PasswordRule } from './passwordRules';

type PasswordFieldProps = {
  id: string;
  name: string;
  label: string;
  error?: string | undefined;
  /** Shown below the field and updated while a new password is typed. */
  rules?: PasswordRule[];
} & Pick<
  InputHTMLAttributes<HTMLInputElement>,
  'autoComplete' | 'maxLength' | 'minLength' | 'required' | 'defaultValue'
>;

/** A password with a button that shows it while it is typed. */
export function PasswordField({ id, label, error, rules = [], ...input }: PasswordFieldProps) {
  const [isVisible, setIsVisible] = useState(false);
  const [typed, setTyped] = useState('');
  const hasRules = rules.length > 0;
  const checklist = hasRules && <PasswordChecklist id={`${id}-rules`} rules={rules} password={typed} />;
  return (
    <FieldShell id={id} label={label} required={input.required} error={error} below={checklist}>
      <div className="secret">
        <input
          {...input}
          {...fieldProps(id, error, hasRules && `${id}-rules`)}
          className="field__input secret__input"
          type={isVisible ? 'text' : 'password'}
          autoCapitalize="none"
          spellCheck={false}
          onInput={(event) => setTyped(event.currentTarget.value)}
        />
        <button
          type="button"
          className="secret__toggle"
          aria-pressed={isVisible}
          aria-controls={id}
          onClick={() => setIsVisible(!isVisible)}
        >
          <Icon name="eye" />
          <span className="sr-only">Show password</span>
        </button>
      </div>
    </FieldShell>
  );
}

type PasswordChecklistProps = { id: string; rules: PasswordRule[]; password: string };

/** The rules for a new password; those that are met are marked while it is typed. */
function PasswordChecklist({ id, rules, password }: PasswordChecklistProps) {
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
