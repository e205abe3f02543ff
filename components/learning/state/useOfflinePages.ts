import { useEffect, useState } from 'react';
import { openOffline, rememberPage } from '../../api/learning/fetchedPages';
import { useShop } from '../../api/site';
import { currentAddress, isOnPage } from '../../browser/address';
import { useOnline } from './useOnline';

export const DASHBOARD = '/user-dashboard';

export type OfflineState = { isOnline: boolean; wasRefused: boolean };

/** Keeps the pages that were shown for when the connection is lost; the others say why they do not open. */
export function useOfflinePages(): OfflineState {
  const { page } = useShop();
  const isOnline = useOnline();
  const [wasRefused, setWasRefused] = useState(false);
  useEffect(() => {
    if (page?.session && isOnPage(DASHBOARD)) rememberPage(currentAddress(), page);
    setWasRefused(false);
  }, [page]);
  useEffect(() => openOffline(DASHBOARD, () => setWasRefused(true)), []);
  useEffect(() => {
    if (isOnline) setWasRefused(false);
  }, [isOnline]);
  return { isOnline, wasRefused };
}
