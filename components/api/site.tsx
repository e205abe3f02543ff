import { createContext, type ReactNode, useContext, useMemo } from 'react';
import type { PageData, SiteProps } from '../contracts/schema';

export type Shop = {
  site: SiteProps;
  /** The page on screen, and how to show other data of it. Tests of single components have none. */
  page?: PageData;
  replaceData?: (data: PageData) => Promise<void>;
};

const ShopContext = createContext<Shop | null>(null);

export function SiteProvider({ children, site, page, replaceData }: Shop & { children: ReactNode }) {
  // A new object would render everything again that reads it.
  const shop = useMemo(() => ({ site, page, replaceData }), [site, page, replaceData]);
  return <ShopContext value={shop}>{children}</ShopContext>;
}

/** What every page knows. */
export function useShop(): Shop {
  const shop = useContext(ShopContext);
  if (!shop) throw new Error('useSite was called outside SiteProvider');
  return shop;
}

/** The shop's settings and categories: the same for every visitor. */
export const useSite = () => useShop().site;

/** The area of the page on screen; none on pages of the shop, and around single components. */
export const useArea = () => useContext(ShopContext)?.page?.area;
