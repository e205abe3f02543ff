import type { PageData } from './contracts/schema';
import { BlankLayout } from './layouts/BlankLayout';
import { DefaultLayout, LayoutOne } from './layouts/DefaultLayout';
import { PAGE_ROWS } from './model/pageRows';
import { pageIdAt, requiresAuthCheck } from './model/servedPages';
import { type Layout, loadPage as loadFrom, type PageTable, page, type Routes } from './pageTable';

/** Each page is a chunk of its own. The server loads them all before its first job. */
const PAGES: PageTable = {
  home: page(() => import('./pages/catalogue/HomePage')),
  shop: page(() => import('./pages/catalogue/ShopPage')),
  search: page(() => import('./pages/catalogue/SearchPage')),
  'course-details': page(() => import('./pages/catalogue/CourseDetailsPage')),
  'shop-details': page(() => import('./pages/catalogue/ShopDetailsPage')),
  instructor: page(() => import('./pages/catalogue/InstructorPage')),
  about: page(() => import('./pages/content/AboutPage')),
  contact: page(() => import('./pages/content/ContactPage')),
  cart: page(() => import('./pages/cart/CartPage')),
  checkout: page(() => import('./pages/checkout/CheckoutPage')),
  wishlist: page(() => import('./pages/cart/WishlistPage')),
  'refund-grievance-policy': page(() => import('./pages/content/RefundGrievancePolicyPage')),
  terms: page(() => import('./pages/content/TermsPage')),
  privacy: page(() => import('./pages/content/PrivacyPage')),
  imprint: page(() => import('./pages/content/ImprintPage')),
  accessibility: page(() => import('./pages/content/AccessibilityPage')),
  withdraw: page(() => import('./pages/content/WithdrawPage')),
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
  'organization-register': page(() => import('./pages/identity/OrganizationRegisterPage')),
  profile: page(() => import('./pages/account/ProfilePage')),
  completed: page(() => import('./pages/orders/CompletedPage')),
  order: page(() => import('./pages/orders/OrderPage')),
  'user-dashboard': page(() => import('./pages/learning/UserDashboardPage')),
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

const layoutOfPage = new Map(PAGE_ROWS.map((row) => [row.id, LAYOUTS[row.layout ?? 'default']]));

export function layoutOf(id: string): Layout {
  return layoutOfPage.get(id) ?? DefaultLayout;
}

export const loadPage = (id: string) => loadFrom(PAGES, id);

/** The public pages. */
export const ROUTES: Routes = {
  pages: PAGES,
  layoutOf: (data: PageData) => layoutOf(data.page),
  // Pages without a layout bring their own header.
  errorLayoutOf: (data: PageData) => (layoutOf(data.page) === NoLayout ? DefaultLayout : NoLayout),
  pageIdAt,
  requiresAuthCheck: (data: PageData) => requiresAuthCheck(data.page),
};
