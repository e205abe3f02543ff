// Specification §9: once an hour.
export const BUILD_CHECK_MS = 3_600_000;

let stale = false;

/** A newer build is live: the next navigation becomes a full load. */
export function isStale(): boolean {
  return stale;
}

export function markStale(): void {
  stale = true;
}

/**
 * Checks every hour whether a newer build is live; returns a function that stops it. A failed check is repeated an
 * hour later.
 */
export function watchBuilds(build: string): () => void {
  const timer = setInterval(async () => {
    // Offline there is no code either, and nothing to find out.
    const code = await import('./latestBuild').catch(() => null);
    if (await code?.isReplaced(build)) markStale();
  }, BUILD_CHECK_MS);
  return () => clearInterval(timer);
}
