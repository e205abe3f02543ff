import type { ComponentType, ReactNode } from 'react';
import type { PageData } from './contracts/schema';

/** A page is a function of the props its loader returns; host/loaders/ guarantees their form. */
export type PageComponent = ComponentType<Record<string, unknown>>;
export type Layout = ComponentType<{ children: ReactNode }>;
export type PageTable = Record<string, () => Promise<PageComponent>>;

/** The pages that one entry of the build can show. */
export type Routes = {
  pages: PageTable;
  layoutOf: (page: PageData) => Layout;
  /** The layout around an error message inside the layout of a page. */
  errorLayoutOf: (page: PageData) => Layout;
  /** The id of the page at a path; undefined: not known before its data is there. */
  pageIdAt: (path: string) => string | undefined;
  /** Whether a page shows the loading view until the authentication check is done. */
  requiresAuthCheck: (page: PageData) => boolean;
};

/** `load`: the module of a page, whose only export is its component. */
export function page(load: () => Promise<object>): () => Promise<PageComponent> {
  return () => load().then((module) => Object.values(module)[0] as PageComponent);
}

const loaded = new Map<string, PageComponent>();

/** The chunk of a page failed to load, most likely because a newer build replaced it. */
export class ChunkFailed extends Error {
  override name = 'ChunkFailed';
}

/** Loads the chunk of a page. Rejects with ChunkFailed when that fails. */
export async function loadPage(pages: PageTable, id: string): Promise<PageComponent> {
  const known = loaded.get(id);
  if (known) return known;
  const load = pages[id];
  if (!load) throw new Error(`There is no page called ${id}`);
  const component = await load().catch((cause: unknown) => {
    throw new ChunkFailed(`The code of the page ${id} could not be loaded`, { cause });
  });
  loaded.set(id, component);
  return component;
}

/** The component of a page that is loaded already: rendering cannot wait. */
export function loadedPage(id: string): PageComponent {
  const component = loaded.get(id);
  if (!component) throw new Error(`The page ${id} was not loaded before it was rendered`);
  return component;
}
