/** @jest-environment node */
import type { Suggestion } from '../../api/search';
import { pieces, stillMatching } from './suggestionRules';

const named = (...texts: string[]): Suggestion[] =>
  texts.map((text) => ({ text, href: '/', kind: 'course' }));

test.each([
  ['ta', ['Tax', 'Tax Audit', 'Data Tables']],
  ['tax a', ['Tax Audit']],
  ['ingles', ['Inglés para reuniones']],
  ['INGLÉS P', ['Inglés para reuniones']],
  ['c#', ['C# at Work']],
  ['', ['Tax', 'Tax Audit', 'Data Tables', 'Inglés para reuniones', 'C# at Work']],
  ['xyz', []],
])('what goes on from “%s” still fits', (typed, fitting) => {
  const all = named('Tax', 'Tax Audit', 'Data Tables', 'Inglés para reuniones', 'C# at Work');
  expect(stillMatching(all, typed).map(({ text }) => text)).toEqual(fitting);
});

test.each([
  ['Tax Audit', 'ta', ['[Ta]', 'x Audit']],
  ['Tax Audit', 'tax au', ['[Tax]', ' ', '[Au]', 'dit']],
  ['Inglés para', 'ingle', ['[Inglé]', 's para']],
  ['C# at Work', 'c#', ['[C#]', ' at Work']],
  ['VAT: Goods', 'x', ['VAT: Goods']],
])('of “%s” what was typed as “%s” is marked', (text, typed, marked) => {
  const result = pieces(text, typed);
  expect(result.map((piece) => (piece.isTyped ? `[${piece.text}]` : piece.text))).toEqual(marked);
  expect(result.map((piece) => piece.text).join('')).toBe(text);
});
