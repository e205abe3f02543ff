import type { Format } from './format';

/** "840 B", "12 KB", "3.4 MB". */
export function fileSize(bytes: number, format: Format): string {
  if (bytes < 1000) return `${format.count(bytes)} B`;
  if (bytes < 1_000_000) return `${format.count(bytes / 1000)} KB`;
  return `${format.rating(bytes / 1_000_000)} MB`;
}
