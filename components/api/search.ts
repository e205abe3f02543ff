import type { Suggestion, Suggestions } from '../contracts/schema';
import { get } from './client';

export type { Suggestion } from '../contracts/schema';

export async function getSuggestions(typed: string, signal: AbortSignal): Promise<Suggestion[]> {
  const query = new URLSearchParams({ q: typed });
  const answer = await get<Suggestions>(`/search/suggest?${query}`, { signal });
  return answer.suggestions;
}
