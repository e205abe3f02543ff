import { reloadOnce } from './browser/reload';

/** The entry or a page's chunk could not be loaded, most likely after a deploy: a reload gets the new ones. */
export function onChunkFailure(cause: unknown): void {
  if (!reloadOnce()) throw cause;
}
