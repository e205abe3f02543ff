import { type ComponentType, lazy } from 'react';
import { loadOrReload } from './lazyModule';

/** A component whose code comes when it is first shown, for parts that few need; inside a `Suspense`. */
export function lazyComponent<P extends object>(load: () => Promise<ComponentType<P>>) {
  return lazy<ComponentType<P>>(async () => ({ default: await loadOrReload(load()) }));
}
