import { type InputHTMLAttributes, useState } from 'react';
import { Icon } from './Icon';
import { PasswordChecklist } from './PasswordChecklist';
import type { PasswordRule } from './passwordRules';

type PasswordFieldProps = {
  id: string;
  name: string;
  label: string;
  error?: string | undefined;
  /** Shown live below the field while a new password is made up. */
  rules?: PasswordRule[];
} & Pick<
  InputHTMLAttributes<HTMLInputElement>,
  'autoComplete' | 'maxLength' | 'minLength' | 'required' | 'defaultValue'
>;

/** A password that can be looked at while it is typed. */
export function PasswordField({ id, label, error, rules = [], ...input }: PasswordFieldProps) {
  const [isShown, setIsShown] = useState(false);
  const [typed, setTyped] = useState('');
  const described = [rules.length > 0 && `${id}-rules`, error && `${id}-error`].filter(Boolean).join(' ');
  return (
    <div className={error ? 'field field--wrong' : 'field'}>
      <label className="field__label" htmlFor={id}>
        {label}
        {input.required && (
          <span className="field__mark" aria-hidden="true">
            *
          </span>
        )}
      </label>
      <div className="secret">
        <input
          {...input}
          id={id}
          className="field__input secret__input"
          type={isShown ? 'text' : 'password'}
          aria-invalid={error ? true : undefined}
          aria-describedby={described || undefined}
          autoCapitalize="none"
          spellCheck={false}
          onInput={(event) => setTyped(event.currentTarget.value)}
        />
        <button
          type="button"
          className="secret__toggle"
          aria-pressed={isShown}
          aria-controls={id}
          onClick={() => setIsShown(!isShown)}
        >
          <Icon name="eye" />
          <span className="sr-only">Show password</span>
        </button>
      </div>
      {error && (
        <p className="field__error" id={`${id}-error`}>
          {error}
        </p>
      )}
      {rules.length > 0 && <PasswordChecklist id={`${id}-rules`} rules={rules} password={typed} />}
    </div>
  );
}
