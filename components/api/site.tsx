import { createContext, type ReactNode, useContext } from 'react';
import type { Site } from './pageProps';

const SiteContext = createContext<Site | null>(null);

export function SiteProvider({ site, children }: { site: Site; children: ReactNode }) {
  return <SiteContext value={site}>{children}</SiteContext>;
}

/** The shop's settings and categories: the same for every visitor. */
export function useSite(): Site {
  const site = useContext(SiteContext);
  if (!site) throw new Error('useSite was called outside SiteProvider');
  return site;
}
