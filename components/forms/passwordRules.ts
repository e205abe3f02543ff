import type { Rules } from '../api/identity';

export type PasswordRule = { text: string; isMet: (password: string) => boolean };

/** The provider's rules as sentences, each with its test. The provider decides; these only tell while one types. */
export function rulesOf(rules: Rules | undefined, username: string | null): PasswordRule[] {
  if (!rules) return [];
  const { minLength = 0 } = rules;
  const all: (PasswordRule | false | undefined)[] = [
    minLength > 0 && {
      text: `At least ${minLength} characters`,
      isMet: (password) => [...password].length >= minLength,
    },
    asked(rules.lowercase) && { text: 'A small letter', isMet: (password) => /\p{Ll}/u.test(password) },
    asked(rules.uppercase) && { text: 'A capital letter', isMet: (password) => /\p{Lu}/u.test(password) },
    asked(rules.number) && { text: 'A digit', isMet: (password) => /\d/.test(password) },
    asked(rules.symbol) && {
      text: 'A sign such as ! or -',
      isMet: (password) => /[^\p{L}\p{N}\s]/u.test(password),
    },
    rules.excludeUsername && {
      text: 'No part of your user name',
      isMet: (password) => password !== '' && !holdsName(password, username),
    },
  ];
  return all.filter((rule) => !!rule);
}

function asked(count: number | boolean | undefined): boolean {
  return Number(count ?? 0) > 0;
}

/** The provider looks for the pieces of the name that are four letters or longer. */
function holdsName(password: string, username: string | null): boolean {
  const pieces = (username ?? '').toLowerCase().split(/[^\p{L}\p{N}]+/u);
  return pieces.some((piece) => piece.length >= 4 && password.toLowerCase().includes(piece));
}
