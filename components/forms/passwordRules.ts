import type { Rules } from '../api/identity';

export type PasswordRule = { text: string; isMet: (password: string) => boolean };

/** The provider's rules as sentences, each with its test. Only a preview: the provider decides. */
export function rulesOf(rules: Rules | undefined, username: string | null): PasswordRule[] {
  if (!rules) return [];
  const { minLength = 0 } = rules;
  const all: (PasswordRule | false | undefined)[] = [
    minLength > 0 && {
      text: `At least ${minLength} characters`,
      isMet: (password) => [...password].length >= minLength,
    },
    isRequired(rules.lowercase) && {
      text: 'One lowercase letter',
      isMet: (password) => /\p{Ll}/u.test(password),
    },
    isRequired(rules.uppercase) && {
      text: 'One uppercase letter',
      isMet: (password) => /\p{Lu}/u.test(password),
    },
    isRequired(rules.number) && { text: 'One digit', isMet: (password) => /\d/.test(password) },
    isRequired(rules.symbol) && {
      text: 'One symbol, such as ! or -',
      isMet: (password) => /[^\p{L}\p{N}\s]/u.test(password),
    },
    rules.excludeUsername && {
      text: 'No part of your user name',
      isMet: (password) => password !== '' && !holdsName(password, username),
    },
  ];
  return all.filter((rule) => !!rule);
}

function isRequired(count: number | boolean | undefined): boolean {
  return Number(count ?? 0) > 0;
}

/** The provider looks for the pieces of the name that are four letters or longer. */
function holdsName(password: string, username: string | null): boolean {
  const pieces = (username ?? '').toLowerCase().split(/[^\p{L}\p{N}]+/u);
  return pieces.some((piece) => piece.length >= 4 && password.toLowerCase().includes(piece));
}
