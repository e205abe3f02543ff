import { readFileSync } from 'node:fs';

const UTC = { calendar: 'gregory', timeZone: 'UTC' };
const NUMBERS = ['integer', 'fraction', 'decimal', 'group'];
// A sign whose edge is no symbol is kept apart from the digits.
const SYMBOL = /[\p{S}\p{Z}]/u;
export const CURRENCIES = [
  ...new Set(
    [...readFileSync(new URL('../../contracts/currencies.py', import.meta.url), 'utf8').matchAll(/["\s]([A-Z]{3})(?=["\s])/g)].map(
      ([, code]) => code,
    ),
  ),
].filter((code) => !['ISO', 'SIX', 'MGA:'].includes(code));

/** One kind of space that does not break. */
export const spaced = (text) => text.replace(/[\u202f\u2009]/g, '\u00a0');
const distinct = (values) => new Set(values).size;

/** A number's text with {} for its digits. */
function patternOf(parts) {
  const first = parts.findIndex(({ type }) => NUMBERS.includes(type));
  const last = parts.findLastIndex(({ type }) => NUMBERS.includes(type));
  const text = (some) => some.map(({ value }) => value).join('');
  return spaced(`${text(parts.slice(0, first))}{}${text(parts.slice(last + 1))}`);
}

function groupingOf(format) {
  const parts = format.formatToParts(1234567890.25);
  const sizes = parts.filter(({ type }) => type === 'integer').map(({ value }) => [...value].length);
  const value = (kind) => spaced(parts.find(({ type }) => type === kind)?.value ?? '');
  const digits = [4, 5, 6, 7, 8].find((count) =>
    format.formatToParts(10 ** (count - 1)).some(({ type }) => type === 'group'),
  );
  return { marks: [value('decimal'), value('group')], grouping: [(digits ?? 4) - 3, sizes.at(-1), sizes.at(-2)] };
}

const twoDecimals = { minimumFractionDigits: 2, maximumFractionDigits: 2 };

function numbers(tag) {
  const format = new Intl.NumberFormat(tag, twoDecimals);
  const { marks, grouping } = groupingOf(format);
  const percent = new Intl.NumberFormat(tag, { style: 'percent' });
  return {
    zero: [...new Intl.NumberFormat(tag).format(0)].at(0),
    decimal: marks[0],
    group: marks[1],
    grouping,
    negative: patternOf(format.formatToParts(-1)),
    percent: patternOf(percent.formatToParts(0.5)),
  };
}

const commonest = (values) => {
  const counts = new Map();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].sort((one, other) => other[1] - one[1])[0]?.[0];
};

/** How one currency is written: its sign, whether that ends in a letter beside the digits, patterns and marks. */
function currencyForm(tag, currency) {
  const format = new Intl.NumberFormat(tag, { style: 'currency', currency, ...twoDecimals });
  const parts = format.formatToParts(1);
  const [positive, negative] = [patternOf(parts), patternOf(format.formatToParts(-1))];
  let sign = spaced(parts.find(({ type }) => type === 'currency').value);
  // The mark of direction after a sign belongs to it.
  if (positive.endsWith(`${sign}\u200f`)) sign += '\u200f';
  const edge = positive.indexOf(sign) < positive.indexOf('{}') ? [...sign].at(-1) : [...sign][0];
  const patterns = [positive, negative].map((text) => text.replace(sign, '¤'));
  const { marks, grouping: moneyGrouping } = groupingOf(format);
  const [moneyDecimal, moneyGroup] = marks;
  return { currency, sign, isWord: !SYMBOL.test(edge), form: JSON.stringify({ moneyDecimal, moneyGroup, moneyGrouping, patterns }) };
}

/**
 * `money`: the patterns of signs that are symbols, `wordMoney` of those that end in a letter, each of amounts above and
 * below zero. `odd`: what currencies have that are written otherwise.
 */
function money(tag) {
  const all = CURRENCIES.map((currency) => currencyForm(tag, currency));
  const formOf = (isWord) => commonest(all.filter((one) => one.isWord === isWord).map(({ form }) => form));
  const word = formOf(true);
  const symbol = formOf(false) ?? word;
  const { patterns, ...marks } = JSON.parse(symbol);
  const others = all.filter(({ isWord, form }) => form !== (isWord ? word : symbol));
  return {
    ...marks,
    money: patterns,
    wordMoney: JSON.parse(word).patterns,
    signs: Object.fromEntries(all.map(({ currency, sign }) => [currency, sign])),
    odd: Object.fromEntries(others.map(({ currency, form }) => [currency, JSON.parse(form)])),
  };
}

/** A date's pattern, "{month} {day}, {year}", with {dd} for a day of two digits. Names of the month are a list of their own. */
function datePattern(format, pad) {
  const parts = format.formatToParts(Date.UTC(2026, 2, 4, 13, 5));
  const isPadded = [...parts.find(({ type }) => type === 'day')?.value ?? ''].length > 1;
  const names = { day: isPadded ? '{dd}' : '{day}', month: '{month}', year: '{year}' };
  const numbers = pad ?? {};
  return spaced(parts.map(({ type, value }) => numbers[type] ?? names[type] ?? value).join(''));
}

const monthsOf = (format) =>
  Array.from({ length: 12 }, (_, month) =>
    spaced(format.formatToParts(Date.UTC(2026, month, 4)).find(({ type }) => type === 'month').value),
  );

/** "{h}:{mm} {period}": {h} and {hh} count to 23, {k} and {kk} to 12; the periods by the hour that each begins with. */
function clock(tag) {
  const format = new Intl.DateTimeFormat(tag, { ...UTC, timeStyle: 'short' });
  const at = (hour) => format.formatToParts(Date.UTC(2026, 2, 4, hour, 5));
  const value = (hour, kind) => at(hour).find(({ type }) => type === kind)?.value;
  const isTwelve = value(1, 'hour') === value(13, 'hour');
  const name = isTwelve ? 'k' : 'h';
  const hourName = [...value(1, 'hour')].length > 1 ? name + name : name;
  const names = { hour: `{${hourName}}`, minute: '{mm}', dayPeriod: '{period}' };
  const periods = {};
  let former;
  for (let hour = 0; hour < 24; hour += 1) {
    const period = value(hour, 'dayPeriod');
    if (period !== undefined && period !== former) periods[hour] = spaced(period);
    former = period;
  }
  return { time: spaced(at(9).map(({ type, value: text }) => names[type] ?? text).join('')), periods };
}

/** "{date} at {time}". */
function together(tag, dates, times) {
  const at = Date.UTC(2026, 2, 4, 13, 5);
  const [both, date, time] = [{ ...dates, ...times }, dates, times].map((options) =>
    new Intl.DateTimeFormat(tag, { ...UTC, ...options }).format(at),
  );
  return spaced(both.replace(date, '{date}').replace(time, '{time}'));
}

/** From how many zeros on a number is written with which word, and how many of the zeros the word is for. */
function compactSteps(tag) {
  const format = new Intl.NumberFormat(tag, { notation: 'compact', maximumFractionDigits: 1, minimumFractionDigits: 0 });
  const steps = [];
  for (let zeros = 4; zeros <= 14; zeros += 1) {
    const parts = format.formatToParts(10 ** zeros);
    const digits = parts.filter(({ type }) => type === 'integer').map(({ value }) => value).join('');
    const step = { zeros, power: zeros - [...digits].length + 1, text: patternOf(parts) };
    const former = steps.at(-1);
    if (former?.power !== step.power || former.text !== step.text) steps.push(step);
  }
  return steps;
}

/** Node 20 ends itself when it takes a month in Scottish Gaelic apart. */
const monthPattern = (tag, format) => (/^gd\b/.test(tag) ? '{month} {year}' : datePattern(format));

function shortForms(tag) {
  const dates = (options) => new Intl.DateTimeFormat(tag, { ...UTC, ...options });
  const day = { year: 'numeric', month: 'short', day: 'numeric' };
  return {
    day: datePattern(dates(day)),
    months: monthsOf(dates(day)),
    dayOfYear: datePattern(dates({ month: 'short', day: 'numeric' })),
    month: monthPattern(tag, dates({ year: 'numeric', month: 'short' })),
    monthsAlone: monthsOf(dates({ month: 'short' })),
    moment: together(tag, day, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }),
    time: datePattern(dates({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }), { hour: '{hh}', minute: '{mm}' }),
    compact: compactSteps(tag),
  };
}

/** How a locale writes; see LocaleForms and ShortForms in the host. Throws where the data do not fit this form. */
export function formsOf(tag) {
  const long = new Intl.DateTimeFormat(tag, { ...UTC, dateStyle: 'long' });
  return {
    ...numbers(tag),
    ...money(tag),
    day: datePattern(long),
    months: monthsOf(long),
    moment: together(tag, { dateStyle: 'long' }, { timeStyle: 'short' }),
    ...clock(tag),
    short: shortForms(tag),
  };
}
