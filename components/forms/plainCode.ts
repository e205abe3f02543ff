/** A code without surrounding spaces and what nobody sees, in ordinary letters: contracts/cases/codes.json. */
export function plainCode(text: string): string {
  return text
    .replace(/\p{Cf}|\p{Variation_Selector}/gu, '')
    .normalize('NFKC')
    .trim();
}
