import { useState } from 'react';
import type { Step, StepInput, StepOption, Values } from '../../api/identity';
import { Icon } from '../../ui/Icon';
import { hiddenValues } from '../flow/flowActions';
import { isVisible } from '../flow/inputs';
import { KIND_ICONS, KIND_NOTES } from './authenticatorKinds';
import { StepForm, type StepFormProps } from './StepForm';
import { usePasskeyProblem } from './usePasskeyProblem';

/** The choice of authenticators, if it is the only visible input of the step; else null. */
export function onlyChoice(step: Step): StepInput | null {
  const visible = step.inputs.filter(isVisible);
  const [only] = visible;
  const hasKinds = only?.options?.some(({ kind }) => kind !== null);
  return visible.length === 1 && only?.type === 'choice' && hasKinds ? only : null;
}

type AuthenticatorListProps = StepFormProps & { choice: StepInput };

/** One click submits; an option with inputs of its own opens them first. */
export function AuthenticatorList({ choice, ...form }: AuthenticatorListProps) {
  const [only, ...others] = choice.options ?? [];
  const isAlone = others.length === 0;
  // A list with one entry would say nothing: its form opens at once.
  const [opened, setOpened] = useState(isAlone && only?.inputs.some(isVisible) ? only : null);

  function choose(option: StepOption) {
    if (form.isBusy) return;
    if (option.inputs.some(isVisible)) setOpened(option);
    else void form.onSubmit(valuesFor(form.step, choice, option));
  }

  if (opened)
    return (
      <OpenedOption
        option={opened}
        choice={choice}
        {...form}
        onBack={isAlone ? null : () => setOpened(null)}
      />
    );
  return (
    <ul className="authenticators" aria-busy={form.isBusy}>
      {choice.options?.map((option) => (
        <li key={option.value}>
          <AuthenticatorButton option={option} isBusy={form.isBusy} onChoose={() => choose(option)} />
        </li>
      ))}
    </ul>
  );
}

function valuesFor(step: Step, choice: StepInput, option: StepOption): Values {
  const own = hiddenValues({ ...step, inputs: option.inputs });
  return { ...hiddenValues(step), ...own, [choice.name]: option.value };
}

type AuthenticatorButtonProps = { option: StepOption; isBusy: boolean; onChoose: () => void };

function AuthenticatorButton({ option, isBusy, onChoose }: AuthenticatorButtonProps) {
  const problem = usePasskeyProblem(option.kind === 'webauthn');
  const note = problem ?? (option.kind && KIND_NOTES[option.kind]);
  return (
    <button
      type="button"
      className="option"
      disabled={problem !== null}
      aria-disabled={isBusy}
      onClick={onChoose}
    >
      <Icon name={option.kind ? KIND_ICONS[option.kind] : 'key'} />
      <span className="option__words">
        <span className="option__label">{option.label}</span>
        {note && <span className="option__note hint">{note}</span>}
      </span>
      {!problem && <Icon name="arrow" />}
    </button>
  );
}

type OpenedOptionProps = AuthenticatorListProps & { option: StepOption; onBack: (() => void) | null };

function OpenedOption({ option, choice, onBack, ...form }: OpenedOptionProps) {
  const alone = { ...choice, type: 'hidden' as const, value: option.value, options: null };
  const others = form.step.inputs.filter(({ name }) => name !== choice.name);
  const step = { ...form.step, inputs: [...others, alone, ...option.inputs] };
  return (
    <>
      <p className="identity__chosen">
        {option.kind && <Icon name={KIND_ICONS[option.kind]} />}
        {option.label}
      </p>
      <StepForm {...form} step={step} />
      {onBack && (
        <button type="button" className="text-button" onClick={onBack}>
          Choose something else
        </button>
      )}
    </>
  );
}
