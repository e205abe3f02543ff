/**
 * Writes contracts/locales.json, how every locale of Unicode CLDR writes numbers, amounts and days, by the data of this
 * Node's ICU, and contracts/cases/locales.json, texts of Intl that all writers must agree with. With --check it writes
 * nothing and fails if a file would change.
 */
import { readFileSync, writeFileSync } from 'node:fs';

/** Node lists no locales, so every tag is asked for: it exists when it is resolved to itself. */
const LETTERS = [...'abcdefghijklmnopqrstuvwxyz'];
const PAIRS = LETTERS.flatMap((first) => LETTERS.map((second) => first + second));
const LANGUAGES = [...PAIRS, ...PAIRS.flatMap((pair) => LETTERS.map((third) => pair + third))];
const SCRIPTS =
  'Adlm Arab Beng Cakm Cans Cher Cyrl Deva Ethi Grek Gujr Guru Hans Hant Hebr Jpan Khmr Knda Kore Laoo Latn Mlym Mong Mtei Mymr Nkoo Olck Orya Rohg Shaw Sinh Syrc Taml Telu Tfng Thai Tibt Vaii Yiii'.split(
    ' ',
  );
const REGIONS = [...PAIRS.map((pair) => pair.toUpperCase()), '001', '150', '419'];

const exists = (tag) => {
  try {
    return new Intl.NumberFormat(tag).resolvedOptions().locale === tag;
  } catch {
    return false;
  }
};

/** Language, then language and script, then each with a region: a tag comes after those that it extends. */
function localeTags() {
  const languages = LANGUAGES.filter(exists);
  const bases = languages.flatMap((name) => [
    name,
    ...SCRIPTS.map((script) => `${name}-${script}`).filter(exists),
  ]);
  return bases.flatMap((base) => [base, ...REGIONS.map((region) => `${base}-${region}`).filter(exists)]);
}

const UTC = { calendar: 'gregory', timeZone: 'UTC' };
const NUMBERS = ['integer', 'fraction', 'decimal', 'group'];
// A sign whose edge is no symbol is kept apart from the digits.
const SYMBOL = /[\p{S}\p{Z}]/u;
const ISO_4217 = readFileSync(new URL('../contracts/currencies.py', import.meta.url), 'utf8');
// The file also names the standard and its agency.
const CURRENCIES = [...new Set(ISO_4217.match(/\b[A-Z]{3}\b/g))].filter(
  (code) => !['ISO', 'SIX'].includes(code),
);

/** One kind of space that does not break. */
const spaced = (text) => text.replace(/[\u202f\u2009]/g, '\u00a0');

const textOf = (parts) => parts.map(({ value }) => value).join('');

/** A number's text with {} for its digits. */
function patternOf(parts) {
  const first = parts.findIndex(({ type }) => NUMBERS.includes(type));
  const last = parts.findLastIndex(({ type }) => NUMBERS.includes(type));
  return spaced(`${textOf(parts.slice(0, first))}{}${textOf(parts.slice(last + 1))}`);
}

function groupingOf(format) {
  const parts = format.formatToParts(1234567890.25);
  const sizes = parts.filter(({ type }) => type === 'integer').map(({ value }) => [...value].length);
  const value = (kind) => spaced(parts.find(({ type }) => type === kind)?.value ?? '');
  const digits = [4, 5, 6, 7, 8].find((count) =>
    format.formatToParts(10 ** (count - 1)).some(({ type }) => type === 'group'),
  );
  return {
    marks: [value('decimal'), value('group')],
    grouping: [(digits ?? 4) - 3, sizes.at(-1), sizes.at(-2)],
  };
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
  return {
    currency,
    sign,
    isWord: !SYMBOL.test(edge),
    form: JSON.stringify({ moneyDecimal, moneyGroup, moneyGrouping, patterns }),
  };
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
function datePattern(format, pad = {}) {
  const parts = format.formatToParts(Date.UTC(2026, 2, 4, 13, 5));
  const isPadded = [...(parts.find(({ type }) => type === 'day')?.value ?? '')].length > 1;
  const names = { day: isPadded ? '{dd}' : '{day}', month: '{month}', year: '{year}' };
  return spaced(parts.map(({ type, value }) => pad[type] ?? names[type] ?? value).join(''));
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
  return {
    time: spaced(
      at(9)
        .map(({ type, value: text }) => names[type] ?? text)
        .join(''),
    ),
    periods,
  };
}

/** "{date} at {time}". */
function dateTimePattern(tag, dates, times) {
  const at = Date.UTC(2026, 2, 4, 13, 5);
  const [both, date, time] = [{ ...dates, ...times }, dates, times].map((options) =>
    new Intl.DateTimeFormat(tag, { ...UTC, ...options }).format(at),
  );
  return spaced(both.replace(date, '{date}').replace(time, '{time}'));
}

/** From how many zeros on a number is written with which word, and how many of the zeros the word is for. */
function compactSteps(tag) {
  const format = new Intl.NumberFormat(tag, {
    notation: 'compact',
    maximumFractionDigits: 1,
    minimumFractionDigits: 0,
  });
  const steps = [];
  for (let zeros = 4; zeros <= 14; zeros += 1) {
    const parts = format.formatToParts(10 ** zeros);
    const digits = textOf(parts.filter(({ type }) => type === 'integer'));
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
    moment: dateTimePattern(tag, day, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }),
    time: datePattern(dates({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }), {
      hour: '{hh}',
      minute: '{mm}',
    }),
    compact: compactSteps(tag),
  };
}

/** The styles of a unit, the fuller one first, and numbers of which each language's plurals have one. */
const UNIT_STYLES = ['short', 'narrow'];
const PLURALS = [1, 2, 3, 5, 6, 11, 12, 21, 22, 30, 59, 100];
const unitFormat = (tag, unit, unitDisplay) =>
  new Intl.NumberFormat(tag, { style: 'unit', unit, unitDisplay, numberingSystem: 'latn' });

/** A unit's text, in which no space breaks. */
const unbroken = (text) => spaced(text).replace(/ /g, '\u00a0');

/** A unit's pattern; undefined if it depends on the number, as "1 hr" and "2 hrs" do. */
function unitPattern(tag, unit, style) {
  const format = unitFormat(tag, unit, style);
  const patterns = PLURALS.map((number) => unbroken(format.format(number)).replace(String(number), '{}'));
  return patterns.every((pattern) => pattern === patterns[0]) ? patterns[0] : undefined;
}

/** Hours and minutes in the fullest style that needs no plurals, else by the symbols of the SI. */
function duration(tag) {
  const styles = UNIT_STYLES.map((style) =>
    Object.fromEntries(['hour', 'minute'].map((unit) => [`${unit}s`, unitPattern(tag, unit, style)])),
  );
  const found = styles.find(({ hours, minutes }) => hours && minutes);
  return found ?? { hours: '{}\u00a0h', minutes: '{}\u00a0min' };
}

/** How a locale writes; see LocaleForms and ShortForms in the host. Throws where the data do not fit this form. */
function formsOf(tag) {
  const long = new Intl.DateTimeFormat(tag, { ...UTC, dateStyle: 'long' });
  return {
    ...numbers(tag),
    ...money(tag),
    day: datePattern(long),
    months: monthsOf(long),
    moment: dateTimePattern(tag, { dateStyle: 'long' }, { timeStyle: 'short' }),
    ...clock(tag),
    ...duration(tag),
    short: shortForms(tag),
  };
}

/** The locales of the table with the currency that shops there have: languages by their marks, digits and scripts. */
const SHOPS =
  'af-ZA ZAR,am-ET ETB,ar-AE AED,ar-EG EGP,ar-MA MAD,ar-SA SAR,as-IN INR,az-AZ AZN,be-BY BYN,bg-BG BGN,bn-BD BDT,bs-BA BAM,ca-ES EUR,cs-CZ CZK,cy-GB GBP,da-DK DKK,de-AT EUR,de-CH CHF,de-DE EUR,de-LI CHF,el-GR EUR,en-AU AUD,en-BE EUR,en-CA CAD,en-DE EUR,en-GB GBP,en-IE EUR,en-IN INR,en-NZ NZD,en-SE SEK,en-US USD,en-ZA ZAR,es-AR ARS,es-BZ BZD,es-CL CLP,es-CU CUP,es-ES EUR,es-MX MXN,et-EE EUR,eu-ES EUR,fa-IR IRR,fi-FI EUR,fil-PH PHP,fr-BE EUR,fr-CA CAD,fr-CH CHF,fr-FR EUR,ga-IE EUR,gl-ES EUR,gu-IN INR,he-IL ILS,hi-IN INR,hr-HR EUR,hu-HU HUF,hy-AM AMD,id-ID IDR,is-IS ISK,it-CH CHF,it-IT EUR,ja-JP JPY,ka-GE GEL,kk-KZ KZT,km-KH KHR,ko-KR KRW,lo-LA LAK,lt-LT EUR,lv-LV EUR,mk-MK MKD,mn-MN MNT,mr-IN INR,ms-BN BND,my-MM MMK,nb-NO NOK,ne-NP NPR,nl-NL EUR,nn-NO NOK,pa-IN INR,pl-PL PLN,pt-BR BRL,pt-PT EUR,ro-RO RON,ru-RU RUB,si-LK LKR,sk-SK EUR,sl-SI EUR,sq-AL ALL,sr-RS RSD,sr-Latn-RS RSD,sv-SE SEK,sw-KE KES,ta-IN INR,th-TH THB,tr-TR TRY,uk-UA UAH,ur-PK PKR,uz-UZ UZS,vi-VN VND,zh-CN CNY,zh-HK HKD,zh-TW TWD'
    .split(',')
    .map((shop) => shop.split(' '));
const DECIMALS = { CLP: 0, ISK: 0, JPY: 0, KRW: 0, VND: 0, KWD: 3 };
const MINOR = [0, 1, 4900, 99_999, 129_900, 1_234_567, 123_456_700, 12_345_678_901, -2050];
const COUNTS = [7, 999, 1000, 9999, 12_345, 1_234_567, -1234];
const PERCENTS = ['0', '5.5', '9.975', '19', '1250'];
const TIMES = ['2026-01-01T00:05:00Z', '2026-03-04T09:05:00Z', '2027-10-31T13:45:00Z'];
const MINUTES = [0, 1, 30, 60, 122, 1505];
const SHORT_COUNTS = [10_000, 12_345, 123_456, 1_250_000];

const marked = (locale, options, values) => {
  const format = new Intl.NumberFormat(locale, options);
  return values.map((value) => spaced(format.format(value)));
};
const dated = (locale, options) => {
  const format = new Intl.DateTimeFormat(locale, { ...UTC, ...options });
  // Node's `format` has plain spaces where the parts have those that do not break.
  return TIMES.map((time) => spaced(textOf(format.formatToParts(new Date(time)))));
};

/** By Intl's own digits, with the style that the data of the locale have. */
function durations(locale) {
  const own = duration(locale);
  const style = UNIT_STYLES.find((one) => unitPattern(locale, 'hour', one) === own.hours);
  const write = (unit, value) =>
    style && unitPattern(locale, unit, style) === own[`${unit}s`]
      ? new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: style }).format(value)
      : own[`${unit}s`].replace('{}', new Intl.NumberFormat(locale).format(value));
  return MINUTES.map((minutes) => {
    const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
    const texts = [
      ...(hours ? [write('hour', hours)] : []),
      ...(rest || !hours ? [write('minute', rest)] : []),
    ];
    return unbroken(texts.join('\u00a0'));
  });
}

function moneyCase(locale, currency) {
  const exponent = DECIMALS[currency] ?? 2;
  const digits = { minimumFractionDigits: exponent, maximumFractionDigits: exponent };
  const major = MINOR.map((minor) => minor / 10 ** exponent);
  return { currency, exponent, texts: marked(locale, { style: 'currency', currency, ...digits }, major) };
}

function row([locale, own]) {
  const currencies = [...new Set([own, 'USD', 'JPY', 'KWD'])];
  const amounts = MINOR.map((minor) => minor / 100);
  const shares = PERCENTS.map((text) => Number(text) / 100);
  const short = { notation: 'compact', minimumFractionDigits: 0, maximumFractionDigits: 1 };
  return {
    locale,
    money: currencies.map((currency) => moneyCase(locale, currency)),
    amounts: marked(locale, { minimumFractionDigits: 2, maximumFractionDigits: 2 }, amounts),
    counts: marked(locale, {}, COUNTS),
    percents: marked(locale, { style: 'percent', maximumFractionDigits: 3 }, shares),
    ratings: marked(locale, { minimumFractionDigits: 1, maximumFractionDigits: 1 }, [4.6, 5]),
    days: dated(locale, { dateStyle: 'long' }),
    moments: dated(locale, { dateStyle: 'long', timeStyle: 'short' }),
    clocks: dated(locale, { timeStyle: 'short' }),
    durations: durations(locale),
    shortDays: dated(locale, { year: 'numeric', month: 'short', day: 'numeric' }),
    shortCounts: marked(locale, short, SHORT_COUNTS),
  };
}

/** The text of contracts/cases/locales.json. */
function casesText(source) {
  const about =
    'What Intl writes. Money and amounts, which have two decimals, are in minor units; days and times are in UTC; spaces that do not break are U+00A0.';
  const values = {
    minor: MINOR,
    counts: COUNTS,
    percents: PERCENTS,
    times: TIMES,
    minutes: MINUTES,
    shortCounts: SHORT_COUNTS,
  };
  const rows = SHOPS.map((shop) => JSON.stringify(row(shop)));
  const head = Object.entries({ about, source, ...values }).map(
    ([name, value]) => `"${name}": ${JSON.stringify(value)}`,
  );
  return `{\n${head.join(',\n')},\n"rows": [\n${rows.join(',\n')}\n]\n}\n`;
}

const DATA = 'contracts/locales.json';
const CASES = 'contracts/cases/locales.json';
const ROOT = new URL('..', import.meta.url);
const SOURCE = {
  node: process.versions.node,
  icu: process.versions.icu,
  cldr: process.versions.cldr,
};

const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);

/** What of a row differs from the row of the shorter tag. */
function difference(row, parent) {
  const changed = Object.entries(row).filter(([name, value]) => !same(value, parent[name]));
  const merged = changed.map(([name, value]) =>
    ['signs', 'short'].includes(name) && parent[name]
      ? [name, difference(value, parent[name])]
      : [name, value],
  );
  return Object.fromEntries(merged);
}

/** Without signs that are the code itself: writers take that where there is no other. */
function whole(row) {
  const signs = Object.entries(row.signs).filter(([code, sign]) => sign !== code);
  return { ...row, signs: Object.fromEntries(signs) };
}

function tableText() {
  const tags = localeTags();
  const rows = new Map(tags.map((tag) => [tag, formsOf(tag)]));
  const lines = tags.map((tag) => {
    const parent = rows.get(tag.replace(/-[^-]*$/, ''));
    const row = tag.includes('-') && parent ? difference(rows.get(tag), parent) : whole(rows.get(tag));
    return `${JSON.stringify(tag)}: ${JSON.stringify(row)}`;
  });
  return `{\n"source": ${JSON.stringify(SOURCE)},\n"locales": {\n${lines.join(',\n')}\n}\n}\n`;
}

const texts = { [DATA]: tableText(), [CASES]: casesText(SOURCE) };
const changed = Object.entries(texts).filter(
  ([path, text]) => readFileSync(new URL(path, ROOT), 'utf8') !== text,
);
if (process.argv.includes('--check')) {
  for (const [path] of changed) process.stderr.write(`${path} is not what Node ${SOURCE.node} gives\n`);
  process.exitCode = changed.length ? 1 : 0;
} else {
  for (const [path, text] of changed) writeFileSync(new URL(path, ROOT), text);
}
