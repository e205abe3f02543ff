import { useSyncExternalStore } from 'react';
import { createStore } from '../../browser/store';

const isOpen = createStore(false);
const counter = createStore(1);

/** The side panel; closed on the server and when a page opens. */
export function usePanel(): boolean {
  return useSyncExternalStore(isOpen.subscribe, isOpen.get, () => false);
}

/** How many of a shop item the next press adds. */
export function useCounter(): number {
  return useSyncExternalStore(counter.subscribe, counter.get, () => 1);
}

export const openPanel = () => isOpen.set(true);
export const closePanel = () => isOpen.set(false);
export const setCounter = counter.set;

/** Specification §4: on each route change the counter is 1 again and the panel closes. */
export function onRouteChange(): void {
  closePanel();
  setCounter(1);
}
