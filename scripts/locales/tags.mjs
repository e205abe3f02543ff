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
export function localeTags() {
  const languages = LANGUAGES.filter(exists);
  const bases = languages.flatMap((name) => [name, ...SCRIPTS.map((script) => `${name}-${script}`).filter(exists)]);
  return bases.flatMap((base) => [base, ...REGIONS.map((region) => `${base}-${region}`).filter(exists)]);
}
