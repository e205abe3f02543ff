import type { Suggestion } from '../../api/search';

/** A piece of a suggestion; what the visitor has typed of it is marked. */
export type Piece = { text: string; isTyped: boolean; at: number };

const MARKS = /\p{M}+/gu;
const BREAKS = /[^\p{L}\p{N}#+.&]+/u;

/** Text for comparison: lowercase, without accents. Only a preview: the host decides which suggestions match. */
function normalised(text: string): string {
  return text.normalize('NFKD').replace(MARKS, '').toLowerCase();
}

function wordsOf(text: string): string[] {
  return normalised(text).split(BREAKS).filter(Boolean);
}

/** The earlier suggestions that still match the text in the box. */
export function stillMatching(suggestions: Suggestion[], typed: string): Suggestion[] {
  const words = wordsOf(typed);
  return suggestions.filter(({ text }) => {
    const textWords = wordsOf(text);
    return words.every((word) => textWords.some((own) => own.startsWith(word)));
  });
}

/** The text in pieces: typed beginnings of words, and the rest. */
export function pieces(text: string, typed: string): Piece[] {
  const words = wordsOf(typed);
  const result: Piece[] = [];
  for (const match of text.matchAll(/[\p{L}\p{M}\p{N}#+.&]+|[^\p{L}\p{M}\p{N}#+.&]+/gu)) {
    const word = match[0];
    const length = Math.max(
      0,
      ...words.filter((start) => normalised(word).startsWith(start)).map((start) => start.length),
    );
    add(result, word.slice(0, length), true);
    add(result, word.slice(length), false);
  }
  return result;
}

function add(pieces: Piece[], text: string, isTyped: boolean): void {
  const last = pieces.at(-1);
  if (text === '') return;
  if (last?.isTyped === isTyped) last.text += text;
  else pieces.push({ text, isTyped, at: last ? last.at + last.text.length : 0 });
}
