import { spaced } from './forms.mjs';

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
const SHORT_COUNTS = [10_000, 12_345, 123_456, 1_250_000];

const marked = (locale, options, values) => {
  const format = new Intl.NumberFormat(locale, options);
  return values.map((value) => spaced(format.format(value)));
};
const dated = (locale, options) => {
  const format = new Intl.DateTimeFormat(locale, { calendar: 'gregory', timeZone: 'UTC', ...options });
  // Node's `format` has plain spaces where the parts have those that do not break.
  const text = (time) => format.formatToParts(new Date(time)).map(({ value }) => value).join('');
  return TIMES.map((time) => spaced(text(time)));
};

function money(locale, currency) {
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
    money: currencies.map((currency) => money(locale, currency)),
    amounts: marked(locale, { minimumFractionDigits: 2, maximumFractionDigits: 2 }, amounts),
    counts: marked(locale, {}, COUNTS),
    percents: marked(locale, { style: 'percent', maximumFractionDigits: 3 }, shares),
    ratings: marked(locale, { minimumFractionDigits: 1, maximumFractionDigits: 1 }, [4.6, 5]),
    days: dated(locale, { dateStyle: 'long' }),
    moments: dated(locale, { dateStyle: 'long', timeStyle: 'short' }),
    shortDays: dated(locale, { year: 'numeric', month: 'short', day: 'numeric' }),
    shortCounts: marked(locale, short, SHORT_COUNTS),
  };
}

/** The text of contracts/cases/locales.json. */
export function casesText(source) {
  const about =
    'What Intl writes. Money and amounts, which have two decimals, are in minor units; days and times are in UTC; spaces that do not break are U+00A0.';
  const values = { minor: MINOR, counts: COUNTS, percents: PERCENTS, times: TIMES, shortCounts: SHORT_COUNTS };
  const rows = SHOPS.map((shop) => JSON.stringify(row(shop)));
  const head = Object.entries({ about, source, ...values }).map(([name, value]) => `"${name}": ${JSON.stringify(value)}`);
  return `{\n${head.join(',\n')},\n"rows": [\n${rows.join(',\n')}\n]\n}\n`;
}
