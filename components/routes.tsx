import type { ComponentType, ReactNode } from 'react';
import table from '../routes.json';
import { BlankLayout } from './layouts/BlankLayout';
import { DefaultLayout } from './layouts/DefaultLayout';
import { LayoutOne } from './layouts/LayoutOne';

/** A page is a function of the props its loader made; host/loaders/ vouches for their form. */
export type PageComponent = ComponentType<Record<string, unknown>>;
type Layout = ComponentType<{ children: ReactNode }>;

function page<Props>(load: () => Promise<ComponentType<Props>>): () => Promise<PageComponent> {
  return load as unknown as () => Promise<PageComponent>;
}

/** Each page in a chunk of its own. The server loads them all before its first job. */
const PAGES: Record<string, () => Promise<PageComponent>> = {
  home: page(() => import('./pages/HomePage').then((module) => module.HomePage)),
  shop: page(() => import('./pages/ShopPage').then((module) => module.ShopPage)),
  search: page(() => import('./pages/SearchPage').then((module) => module.SearchPage)),
  'course-details': page(() =>
    import('./pages/CourseDetailsPage').then((module) => module.CourseDetailsPage),
  ),
  'shop-details': page(() => import('./pages/ShopDetailsPage').then((module) => module.ShopDetailsPage)),
  about: page(() => import('./pages/AboutPage').then((module) => module.AboutPage)),
  contact: page(() => import('./pages/ContactPage').then((module) => module.ContactPage)),
  cart: page(() => import('./pages/CartPage').then((module) => module.CartPage)),
  wishlist: page(() => import('./pages/WishlistPage').then((module) => module.WishlistPage)),
  'refund-grievance-policy': page(() =>
    import('./pages/RefundGrievancePolicyPage').then((module) => module.RefundGrievancePolicyPage),
  ),
  additional: page(() => import('./pages/AdditionalPage').then((module) => module.AdditionalPage)),
  'admin-login': page(() => import('./pages/AdminLoginPage').then((module) => module.AdminLoginPage)),
  'create-password': page(() =>
    import('./pages/CreatePasswordPage').then((module) => module.CreatePasswordPage),
  ),
  'email-verify': page(() => import('./pages/EmailVerifyPage').then((module) => module.EmailVerifyPage)),
  'forget-password': page(() =>
    import('./pages/ForgetPasswordPage').then((module) => module.ForgetPasswordPage),
  ),
  forgot: page(() => import('./pages/ForgotPage').then((module) => module.ForgotPage)),
  login: page(() => import('./pages/LoginPage').then((module) => module.LoginPage)),
  logout: page(() => import('./pages/LogoutPage').then((module) => module.LogoutPage)),
  'organization-forgot': page(() =>
    import('./pages/OrganizationForgotPage').then((module) => module.OrganizationForgotPage),
  ),
  'organization-login': page(() =>
    import('./pages/OrganizationLoginPage').then((module) => module.OrganizationLoginPage),
  ),
  profile: page(() => import('./pages/ProfilePage').then((module) => module.ProfilePage)),
  register: page(() => import('./pages/RegisterPage').then((module) => module.RegisterPage)),
  'reset-password': page(() =>
    import('./pages/ResetPasswordPage').then((module) => module.ResetPasswordPage),
  ),
  verify: page(() => import('./pages/VerifyPage').then((module) => module.VerifyPage)),
  // No row of routes.json: the host serves it in development only.
  styleguide: page(() => import('./pages/StyleguidePage').then((module) => module.StyleguidePage)),
  error: page(() => import('./pages/ErrorPage').then((module) => module.ErrorPage)),
};

export const PAGE_IDS = Object.keys(PAGES);

const LAYOUTS: Record<string, Layout> = {
  none: ({ children }) => children,
  blank: BlankLayout,
  default: DefaultLayout,
  'layout-one': LayoutOne,
};

const loaded = new Map<string, PageComponent>();

/** The code of a page could not be had, most likely because a newer build took its place. */
export class ChunkFailed extends Error {
  override name = 'ChunkFailed';
}

/** Loads the chunk of a page. Rejects with ChunkFailed when it cannot be had. */
export async function loadPage(id: string): Promise<PageComponent> {
  const known = loaded.get(id);
  if (known) return known;
  const load = PAGES[id];
  if (!load) throw new Error(`There is no page called ${id}`);
  const component = await load().catch((cause: unknown) => {
    throw new ChunkFailed(`The code of the page ${id} could not be loaded`, { cause });
  });
  loaded.set(id, component);
  return component;
}

/** The component of a page whose chunk is there; drawing never waits. */
export function loadedPage(id: string): PageComponent {
  const component = loaded.get(id);
  if (!component) throw new Error(`The page ${id} was not loaded before it was drawn`);
  return component;
}

const layoutOfPage = new Map(table.pages.map((row) => [row.id, LAYOUTS[row.layout]]));

export function layoutOf(id: string): Layout {
  return layoutOfPage.get(id) ?? DefaultLayout;
}
