import type { Suggestion } from '../api/suggestions';

/** A piece of a suggestion; what the visitor has typed of it is marked. */
export type Piece = { text: string; isTyped: boolean; at: number };

const MARKS = /\p{M}+/gu;
const BREAKS = /[^\p{L}\p{N}#+.&]+/u;

/** As words are compared: small letters without accents. The host has the last word; this only tells what still fits. */
function folded(text: string): string {
  return text.normalize('NFKD').replace(MARKS, '').toLowerCase();
}

function wordsOf(text: string): string[] {
  return folded(text).split(BREAKS).filter(Boolean);
}

/** What was suggested for less than what stands in the box now: only what goes on from it is still true. */
export function stillFitting(suggestions: Suggestion[], typed: string): Suggestion[] {
  const words = wordsOf(typed);
  return suggestions.filter(({ text }) => {
    const own = wordsOf(text);
    return words.every((word) => own.some((one) => one.startsWith(word)));
  });
}

/** The text in pieces: beginnings of words that were typed, and the rest. */
export function pieces(text: string, typed: string): Piece[] {
  const words = wordsOf(typed);
  const found: Piece[] = [];
  for (const match of text.matchAll(/[\p{L}\p{M}\p{N}#+.&]+|[^\p{L}\p{M}\p{N}#+.&]+/gu)) {
    const word = match[0];
    const length = Math.max(
      0,
      ...words.filter((one) => folded(word).startsWith(one)).map((one) => one.length),
    );
    add(found, word.slice(0, length), true);
    add(found, word.slice(length), false);
  }
  return found;
}

function add(found: Piece[], text: string, isTyped: boolean): void {
  const last = found.at(-1);
  if (text === '') return;
  if (last?.isTyped === isTyped) last.text += text;
  else found.push({ text, isTyped, at: last ? last.at + last.text.length : 0 });
}
