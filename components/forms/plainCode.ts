/** A code without surrounding spaces and what nobody sees, in ordinary letters and hyphens: contracts/cases/codes.json. */
export function plainCode(text: string): string {
  return text
    .replace(/\p{Cf}|\p{Variation_Selector}/gu, '')
    .normalize('NFKC')
    .replace(/[\u2010-\u2015\u2212]/g, '-')
    .trim();
}
