type Option = { value: string; label: string };

// Languages with their country, as providers name them.
const LOCALES = [
  ...[
    'ar_EG',
    'bg_BG',
    'cs_CZ',
    'da_DK',
    'de_AT',
    'de_CH',
    'de_DE',
    'el_GR',
    'en_AU',
    'en_CA',
    'en_GB',
    'en_IE',
  ],
  ...[
    'en_IN',
    'en_NZ',
    'en_US',
    'en_ZA',
    'es_ES',
    'es_MX',
    'et_EE',
    'fi_FI',
    'fr_BE',
    'fr_CA',
    'fr_CH',
    'fr_FR',
  ],
  ...[
    'he_IL',
    'hi_IN',
    'hr_HR',
    'hu_HU',
    'id_ID',
    'it_IT',
    'ja_JP',
    'ko_KR',
    'lt_LT',
    'lv_LV',
    'ms_MY',
    'nb_NO',
  ],
  ...[
    'nl_BE',
    'nl_NL',
    'pl_PL',
    'pt_BR',
    'pt_PT',
    'ro_RO',
    'sk_SK',
    'sl_SI',
    'sv_SE',
    'th_TH',
    'tr_TR',
    'uk_UA',
  ],
  ...['vi_VN', 'zh_CN', 'zh_TW'],
];

/** What an attribute of the profile is chosen from; null: it is typed. The value it has now can always be kept. */
export function choicesOf(name: string, current: string, language: string): Option[] | null {
  if (name === 'locale') return withCurrent(locales(language), current);
  if (name === 'timezone') return withCurrent(timeZones(), current);
  return null;
}

function locales(language: string): Option[] {
  const names = new Intl.DisplayNames(language, { type: 'language' });
  return LOCALES.map((value) => ({ value, label: names.of(value.replace('_', '-')) ?? value })).sort(
    (one, other) => one.label.localeCompare(other.label, language),
  );
}

function timeZones(): Option[] {
  return ['UTC', ...Intl.supportedValuesOf('timeZone')].map((value) => ({
    value,
    label: value.replaceAll('_', ' '),
  }));
}

function withCurrent(options: Option[], current: string): Option[] {
  const isListed = !current || options.some(({ value }) => value === current);
  return [
    { value: '', label: 'Not chosen' },
    ...(isListed ? [] : [{ value: current, label: current }]),
    ...options,
  ];
}
