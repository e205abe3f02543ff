import type { Step, StepInput, Values } from '../../api/identity';
import type { FieldErrors } from '../../forms/call/callOutcome';
import { normaliseCode } from '../../forms/OneTimeCodeField';

/** The option chosen of each choice, by the input's name. */
export type Chosen = Record<string, string>;

/** The initial choices: the only option of a choice is chosen. */
export function firstChosen(inputs: readonly StepInput[]): Chosen {
  const chosen: Chosen = {};
  for (const input of inputs) {
    if (input.type !== 'choice') continue;
    const options = input.options ?? [];
    const [only] = options;
    const value =
      typeof input.value === 'string' ? input.value : options.length === 1 ? only?.value : undefined;
    if (value !== undefined) chosen[input.name] = value;
    for (const option of options) Object.assign(chosen, firstChosen(option.inputs));
  }
  return chosen;
}

/** The inputs to render and to submit: each choice adds those of its chosen option. */
export function activeInputs(inputs: readonly StepInput[], chosen: Chosen): StepInput[] {
  return inputs.flatMap((input) => {
    const option = input.options?.find(({ value }) => value === chosen[input.name]);
    return option ? [input, ...activeInputs(option.inputs, chosen)] : [input];
  });
}

/** Whether a person has nothing else to fill in. */
export function isOnlyField(inputs: readonly StepInput[], input: StepInput): boolean {
  return inputs.every((other) => other === input || !isVisible(other));
}

export const isVisible = (input: StepInput) => input.type !== 'hidden';

/** What a filled-in form sends. Optional inputs that were left empty are left out. */
export function valuesOf(data: FormData, inputs: readonly StepInput[], chosen: Chosen): Values {
  const values: Values = {};
  for (const input of inputs) {
    const value = valueFor(data, input, chosen);
    if (value !== '' || input.required) values[input.name] = value;
  }
  return values;
}

function valueFor(data: FormData, input: StepInput, chosen: Chosen): string | boolean {
  const text = String(data.get(input.name) ?? '');
  switch (input.type) {
    case 'boolean':
      return data.has(input.name);
    case 'choice':
      return chosen[input.name] ?? '';
    case 'hidden':
      return input.value ?? '';
    case 'password':
      return text;
    case 'code':
      return normaliseCode(text);
    default:
      return text.trim();
  }
}

/** An error for each value that the host would refuse. */
export function inputErrors(values: Values, inputs: readonly StepInput[]): FieldErrors {
  const errors: FieldErrors = {};
  for (const input of inputs.filter(isVisible)) {
    const problem = errorOf(values[input.name] ?? '', input);
    if (problem) errors[input.name] = problem;
  }
  return errors;
}

const EMAIL = /^[^\s@]+@[^\s@]+$/;

function errorOf(value: string | boolean, input: StepInput): string {
  if (typeof value === 'boolean') return '';
  if (value === '') return input.required ? requiredText(input) : '';
  if (input.type === 'email' && !EMAIL.test(value))
    return 'Enter an email address in the form name@example.com.';
  if (input.minLength !== null && [...value].length < input.minLength)
    return `Use at least ${input.minLength} characters.`;
  return '';
}

function requiredText({ type, label }: StepInput): string {
  if (type === 'choice') return 'Choose one of these.';
  if (type === 'code') return 'Enter the code.';
  if (type === 'password') return 'Enter the password.';
  return `${label} is required.`;
}

/** The values that may be saved as drafts: no secrets, and nothing of an authenticator. */
export function draftValues(step: Step, values: Values): Record<string, string> {
  if (step.authenticator) return {};
  const plain = step.inputs.filter(({ type }) => type === 'text' || type === 'email' || type === 'tel');
  return Object.fromEntries(
    plain.flatMap(({ name }) => {
      const value = values[name];
      return typeof value === 'string' && value ? [[name, value]] : [];
    }),
  );
}

/** The input for the account's name. */
export function nameInput(inputs: readonly StepInput[]): StepInput | undefined {
  return inputs.find(
    ({ name, autocomplete }) =>
      /^(?:identifier|username)$/.test(name) || /\busername\b/.test(autocomplete ?? ''),
  );
}
