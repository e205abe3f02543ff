import type { ComponentType, ReactNode } from 'react';
import { BlankLayout } from './layouts/BlankLayout';
import { DefaultLayout } from './layouts/DefaultLayout';
import { LayoutOne } from './layouts/LayoutOne';
import { PAGE_ROWS } from './model/pageRows';

/** A page is a function of the props its loader returns; host/loaders/ guarantees their form. */
export type PageComponent = ComponentType<Record<string, unknown>>;
type Layout = ComponentType<{ children: ReactNode }>;

/** `load`: the module of a page, whose only export is its component. */
function page(load: () => Promise<object>): () => Promise<PageComponent> {
  return () => load().then((module) => Object.values(module)[0] as PageComponent);
}

/** Each page is a chunk of its own. The server loads them all before its first job. */
const PAGES: Record<string, () => Promise<PageComponent>> = {
  home: page(() => import('./pages/catalogue/HomePage')),
  shop: page(() => import('./pages/catalogue/ShopPage')),
  search: page(() => import('./pages/catalogue/SearchPage')),
  'course-details': page(() => import('./pages/catalogue/CourseDetailsPage')),
  'shop-details': page(() => import('./pages/catalogue/ShopDetailsPage')),
  about: page(() => import('./pages/content/AboutPage')),
  contact: page(() => import('./pages/content/ContactPage')),
  cart: page(() => import('./pages/cart/CartPage')),
  wishlist: page(() => import('./pages/cart/WishlistPage')),
  'refund-grievance-policy': page(() => import('./pages/content/RefundGrievancePolicyPage')),
  additional: page(() => import('./pages/account/AdditionalPage')),
  'admin-login': page(() => import('./pages/identity/AdminLoginPage')),
  'create-password': page(() => import('./pages/identity/CreatePasswordPage')),
  'email-verify': page(() => import('./pages/identity/EmailVerifyPage')),
  'forget-password': page(() => import('./pages/identity/ForgetPasswordPage')),
  forgot: page(() => import('./pages/identity/ForgotPage')),
  login: page(() => import('./pages/identity/LoginPage')),
  logout: page(() => import('./pages/identity/LogoutPage')),
  'organization-forgot': page(() => import('./pages/identity/OrganizationForgotPage')),
  'organization-login': page(() => import('./pages/identity/OrganizationLoginPage')),
  profile: page(() => import('./pages/account/ProfilePage')),
  register: page(() => import('./pages/identity/RegisterPage')),
  'reset-password': page(() => import('./pages/identity/ResetPasswordPage')),
  verify: page(() => import('./pages/identity/VerifyPage')),
  // No row of routes.json: the host serves it in development only.
  styleguide: page(() => import('./styleguide/StyleguidePage')),
  error: page(() => import('./pages/content/ErrorPage')),
};

export const PAGE_IDS = Object.keys(PAGES);

const NoLayout: Layout = ({ children }) => children;

const LAYOUTS: Record<string, Layout> = {
  none: NoLayout,
  blank: BlankLayout,
  default: DefaultLayout,
  'layout-one': LayoutOne,
};

const loaded = new Map<string, PageComponent>();

/** The chunk of a page failed to load, most likely because a newer build replaced it. */
export class ChunkFailed extends Error {
  override name = 'ChunkFailed';
}

/** Loads the chunk of a page. Rejects with ChunkFailed when that fails. */
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

/** The component of a page that is loaded already: rendering cannot wait. */
export function loadedPage(id: string): PageComponent {
  const component = loaded.get(id);
  if (!component) throw new Error(`The page ${id} was not loaded before it was rendered`);
  return component;
}

const layoutOfPage = new Map(PAGE_ROWS.map((row) => [row.id, LAYOUTS[row.layout ?? 'default']]));

/** The layout around an error message inside the layout of page `id`: pages without one bring their own header. */
export function errorLayoutOf(id: string): Layout {
  return layoutOf(id) === NoLayout ? DefaultLayout : NoLayout;
}

export function layoutOf(id: string): Layout {
  return layoutOfPage.get(id) ?? DefaultLayout;
}
