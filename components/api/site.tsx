import { createContext, type ReactNode, useContext } from 'react';
import type { PageData, SiteProps } from '../contracts/schema';

export type Shop = {
  site: SiteProps;
  /** The page on screen, and how to show other data of it. Tests of single components have none. */
  page?: PageData;
  replaceData?: (data: PageData) => Promise<void>;
};

const ShopContext = createContext<Shop | null>(null);

export function SiteProvider({ children, ...shop }: Shop & { children: ReactNode }) {
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
