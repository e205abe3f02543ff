import { createContext, type ReactNode, useContext } from 'react';
import type { SiteProps } from '../contracts/schema';

const SiteContext = createContext<SiteProps | null>(null);

export function SiteProvider({ site, children }: { site: SiteProps; children: ReactNode }) {
  return <SiteContext value={site}>{children}</SiteContext>;
}

/** The shop's settings and categories: the same for every visitor. */
export function useSite(): SiteProps {
  const site = useContext(SiteContext);
  if (!site) throw new Error('useSite was called outside SiteProvider');
  return site;
}
