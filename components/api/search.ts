import { get } from './client';

/** GET /api/search/suggest; `kind` query leads to a search, the others to a page of the catalogue. */
export type Suggestion = { text: string; href: string; kind: 'query' | 'category' | 'course' | 'item' };

export async function getSuggestions(typed: string, signal: AbortSignal): Promise<Suggestion[]> {
  const query = new URLSearchParams({ q: typed });
  const answer = await get<{ suggestions: Suggestion[] }>(`/search/suggest?${query}`, { signal });
  return answer.suggestions;
}
