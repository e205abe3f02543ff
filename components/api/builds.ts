import { BUILD_CHECK_MS } from './limits';

let stale = false;

/** A newer build is live: the next navigation becomes a full load. */
export function isStale(): boolean {
  return stale;
}

export function markStale(): void {
  stale = true;
}

/** Asks every hour whether a newer build is live; returns the way to stop. A failed check is tried at the next hour. */
export function watchBuilds(build: string): () => void {
  const timer = setInterval(() => void checkBuild(build), BUILD_CHECK_MS);
  return () => clearInterval(timer);
}

export async function checkBuild(build: string): Promise<void> {
  try {
    const response = await fetch('/static/dist/latest-build.json', { cache: 'no-store' });
    const latest = (await response.json()) as { build?: unknown };
    if (typeof latest.build === 'string' && latest.build !== build) markStale();
  } catch {
    // Offline or in the middle of a deploy: nothing to conclude.
  }
}
