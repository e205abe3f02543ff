import { readImage, sendImage } from '../../api/admin/images';
import type { ImageRequest, SentImage } from '../../contracts/schema';

// A picture takes a second or two; the site gives up after 15 s, and jobs before it take their time.
const WAITS_MS = [300, 500, 1000, 2000];
const MAX_WAITS = 45;

export class UnusableImage extends Error {}

/**
 * The re-encoded picture. Rejects with UnusableImage, whose message is for whoever sent it, and with ApiProblem.
 */
export async function convertImage(body: ImageRequest): Promise<SentImage> {
  let status = await sendImage(body);
  for (let waits = 0; waits < MAX_WAITS; waits += 1) {
    if (status.image) return status.image;
    if (status.state === 'failed' || status.state === 'stopped')
      throw new UnusableImage(status.error ?? 'The picture cannot be used.');
    const wait = WAITS_MS[Math.min(waits, WAITS_MS.length - 1)];
    await new Promise((resolve) => setTimeout(resolve, wait));
    status = await readImage(status.id);
  }
  throw new UnusableImage('The picture is not ready yet. Try again in a minute.');
}
