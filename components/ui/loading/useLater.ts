import { type ComponentType, useEffect, useState } from 'react';

/**
 * A component whose code loads after the page; null until then, and where loading fails: the rest works without it.
 * `load`: a function of a module, not of a render, so that it is called once.
 */
export function useLater<P extends object>(load: () => Promise<ComponentType<P>>): ComponentType<P> | null {
  const [Part, setPart] = useState<ComponentType<P> | null>(null);
  useEffect(() => {
    load().then(
      (loaded) => setPart(() => loaded),
      () => undefined,
    );
  }, [load]);
  return Part;
}
