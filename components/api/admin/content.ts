import type { ContentChange, ContentPreview, ContentPublished } from '../../contracts/schema';
import { post, put } from '../client';

/** May reject with ApiProblem, also for a version that somebody else has published since. */
export const publishContent = (slug: string, page: ContentChange) =>
  put<ContentPublished>(`/admin/content/${slug}`, page);
export const previewContent = (slug: string, body: string) =>
  post<ContentPreview>(`/admin/content/${slug}/preview`, { body });
