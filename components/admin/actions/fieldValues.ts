import type { ActionPageProps, SiteProps } from '../../contracts/schema';
import { instantOf, localText } from '../../format/zonedTime';
import { type FieldTexts, textOf, textsOf } from '../../forms/call/formValues';
import { amountText, minorOfText, plainNumber } from '../../forms/moneyText';

export type Field = ActionPageProps['actions'][number]['fields'][number];
type Picked = NonNullable<Field['picked']>[number];

/** Times of staff are typed and shown in it. */
export const ZONE = 'UTC';
/** The field, which people do not see, that holds the names of what is picked. */
export const namesField = (name: string) => `${name}Text`;
/** The values of several picked things are lines of one field. */
export const linesOf = (text: string) => text.split(/\r?\n/).filter(Boolean);

type Kind = {
  /** What the call gets. */
  read: (field: Field, data: FormData, site: SiteProps) => unknown;
  /** Why what is typed cannot be read; false: it can be. */
  wrong?: (field: Field, text: string, site: SiteProps) => string | false;
  /** The texts of the field that hold a value of the call. */
  texts?: (field: Field, value: unknown, site: SiteProps) => FieldTexts;
};

const AS_TYPED: Kind = { read: ({ name }, data) => textOf(data, name) };
const KINDS: Partial<Record<Field['kind'], Kind>> = {
  yes: {
    read: ({ name }, data) => data.has(name),
    texts: ({ name }, value) => ({ [name]: value ? ['yes'] : [] }),
  },
  choices: { read: ({ name }, data) => data.getAll(name).map(String) },
  number: {
    read: (field, data, { forms }) => {
      const text = textOf(data, field.name);
      if (!text) return field.isNullable ? null : 0;
      return Number(plainNumber(text, forms));
    },
    wrong: (field, text, { forms }) => !isWhole(field, plainNumber(text, forms)) && wholeNumberText(field),
  },
  percent: {
    read: ({ name }, data, { forms }) => plainNumber(textOf(data, name), forms) ?? '',
    wrong: ({ maximum = 100 }, text, { forms }) => {
      const number = plainNumber(text, forms);
      return (number === null || Number(number) > maximum) && `Enter a percentage up to ${maximum}.`;
    },
  },
  money: {
    read: ({ name }, data, site) => {
      const text = textOf(data, name);
      return text ? minorOfText(text, site) : null;
    },
    wrong: ({ isRequired }, text, site) =>
      minorOfText(text, site) === null && (isRequired ? 'Enter an amount.' : 'Enter an amount, or nothing.'),
    texts: ({ name }, value, site) => ({
      [name]: typeof value === 'number' ? [amountText(value, site)] : [''],
    }),
  },
  time: {
    read: ({ name }, data) => instantOf(textOf(data, name), ZONE),
    wrong: (_, text) => instantOf(text, ZONE) === null && 'Choose a day and a time.',
    texts: ({ name }, value) => ({ [name]: [typeof value === 'string' ? localText(value, ZONE) : ''] }),
  },
  pick: { ...AS_TYPED, texts: (field, value) => pickedTexts(field, value ? [value as Picked | string] : []) },
  picks: {
    read: ({ name }, data) => linesOf(textOf(data, name)),
    texts: (field, value) => pickedTexts(field, value as (Picked | string)[]),
  },
};

const kindOf = ({ kind }: Field) => KINDS[kind] ?? AS_TYPED;

/** The body of the call. Fields whose names have a point, such as days.course, are together an object of it. */
export function bodyOf(fields: Field[], data: FormData, site: SiteProps): Record<string, unknown> {
  const body: Record<string, unknown> = {};
  for (const field of fields.filter(({ kind }) => kind !== 'fact')) {
    const [name = '', key] = field.name.split('.');
    const value = kindOf(field).read(field, data, site);
    body[name] = key === undefined ? value : { ...(body[name] as object | undefined), [key]: value };
  }
  return body;
}

/** What is missing or cannot be read, by field. */
export function wrongFields(fields: Field[], data: FormData, site: SiteProps): Record<string, string> {
  const wrong = fields.map((field): [string, string | false] => {
    const text = textOf(data, field.name);
    if (text) return [field.name, kindOf(field).wrong?.(field, text, site) ?? false];
    return [field.name, field.isRequired && !isIgnored(field) && missingText(field)];
  });
  return Object.fromEntries(wrong.filter((entry): entry is [string, string] => entry[1] !== false));
}

/** Values of the call as texts of the form's fields. */
export function textsOfValues(fields: Field[], values: Record<string, unknown>, site: SiteProps): FieldTexts {
  const known = fields.filter(({ name }) => name in values);
  return Object.assign(
    {},
    ...known.map((field) => {
      const value = values[field.name];
      if (value === null && !kindOf(field).texts) return { [field.name]: [''] };
      return kindOf(field).texts?.(field, value, site) ?? textsOf({ [field.name]: value });
    }),
  );
}

/** A field's label, and in words what the form holds in it; null for what people do not see. */
export function wordsOfField(fields: Field[], name: string, texts: FieldTexts) {
  const field = fields.find((candidate) => candidate.name === name);
  if (!field) return null;
  const { kind, label, options } = field;
  const own = texts[name] ?? [];
  if (kind === 'yes') return { label, words: own.length > 0 ? 'Yes' : 'No' };
  if (kind === 'time') return { label, words: (own[0] ?? '').replace('T', ', ') };
  const shown = kind === 'pick' || kind === 'picks' ? linesOf(texts[namesField(name)]?.[0] ?? '') : own;
  const wordOf = (text: string) => options.find(({ value }) => value === text)?.label ?? text;
  return { label, words: shown.map(wordOf).join(', ') };
}

/** Whether the field is shown while the form holds these texts. */
export const isShown = ({ shownIf }: Field, texts: FieldTexts) =>
  !shownIf || shownIf.values.some((value) => texts[shownIf.name]?.includes(value));

function pickedTexts({ name }: Field, things: (Picked | string)[]): FieldTexts {
  const named = things.map((thing) => (typeof thing === 'string' ? { value: thing, text: thing } : thing));
  return {
    [name]: [named.map(({ value }) => value).join('\n')],
    [namesField(name)]: [named.map(({ text }) => text).join('\n')],
  };
}

const isIgnored = ({ kind }: Field) => kind === 'fixed' || kind === 'fact';

function missingText({ kind, label }: Field): string {
  if (kind === 'time') return 'Choose a day and a time.';
  if (kind === 'money') return 'Enter an amount.';
  return `${label}: this is needed.`;
}

function isWhole({ minimum = 0, maximum = Number.MAX_SAFE_INTEGER }: Field, number: string | null): boolean {
  return number !== null && /^\d+$/.test(number) && Number(number) >= minimum && Number(number) <= maximum;
}

function wholeNumberText({ minimum = 0, maximum }: Field): string {
  if (maximum === undefined || maximum === Number.MAX_SAFE_INTEGER)
    return minimum > 0 ? `Enter a whole number from ${minimum}.` : 'Enter a whole number.';
  return `Enter a whole number from ${minimum} to ${maximum}.`;
}
