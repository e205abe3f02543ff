import table from '../contracts/routes.json?areas';
import type { PageData } from './contracts/schema';
import { AreaLayout } from './layouts/AreaLayout';
import { BlankLayout } from './layouts/BlankLayout';
import { rowAt } from './model/pageRows';
import { type Layout, type PageTable, page, type Routes } from './pageTable';

/** Pages of the areas: a chunk each, in a build of its own, so that none of it is ever in the bundle of the shop. */
const PAGES: PageTable = {
  // Instead of a page of an area that cannot be shown.
  'area-error': page(() => import('./pages/areas/AreaErrorPage')),
  'admin-courses': page(() => import('./pages/publishing/AdminCoursesPage')),
  'admin-course-new': page(() => import('./pages/publishing/AdminCourseNewPage')),
  'admin-course': page(() => import('./pages/publishing/AdminCoursePage')),
  'admin-course-outcomes': page(() => import('./pages/publishing/AdminCourseOutcomesPage')),
  'admin-course-price': page(() => import('./pages/publishing/AdminCoursePricePage')),
  'admin-course-publication': page(() => import('./pages/publishing/AdminCoursePublicationPage')),
  'admin-course-snippet': page(() => import('./pages/publishing/AdminCourseSnippetPage')),
  'admin-course-reviews': page(() => import('./pages/publishing/AdminCourseReviewsPage')),
  'admin-course-history': page(() => import('./pages/publishing/AdminCourseHistoryPage')),
  'admin-import': page(() => import('./pages/admin/AdminImportPage')),
  'admin-imports': page(() => import('./pages/admin/AdminImportsPage')),
  'admin-home': page(() => import('./pages/admin/AdminHomePage')),
  'admin-orders': page(() => import('./pages/admin/AdminOrdersPage')),
  'admin-order': page(() => import('./pages/admin/AdminOrderPage')),
  'admin-coupons': page(() => import('./pages/coupons/AdminCouponsPage')),
  'admin-coupon-new': page(() => import('./pages/coupons/AdminCouponNewPage')),
  'admin-coupon': page(() => import('./pages/coupons/AdminCouponPage')),
  'admin-coupon-lab': page(() => import('./pages/coupons/AdminCouponLabPage')),
  'admin-staff': page(() => import('./pages/admin/AdminStaffPage')),
  'admin-staff-new': page(() => import('./pages/admin/AdminStaffNewPage')),
  'admin-staff-member': page(() => import('./pages/admin/AdminStaffMemberPage')),
  'admin-audit': page(() => import('./pages/admin/AdminAuditPage')),
  'admin-audit-event': page(() => import('./pages/admin/AdminAuditEventPage')),
  'admin-messages': page(() => import('./pages/admin/support/AdminMessagesPage')),
  'admin-message': page(() => import('./pages/admin/support/AdminMessagePage')),
  'admin-reviews': page(() => import('./pages/admin/support/AdminReviewsPage')),
  'admin-review': page(() => import('./pages/admin/support/AdminReviewPage')),
  'admin-mail': page(() => import('./pages/admin/support/AdminMailPage')),
  'admin-mail-one': page(() => import('./pages/admin/support/AdminMailOnePage')),
  'admin-dead-letters': page(() => import('./pages/admin/support/AdminDeadLettersPage')),
  'admin-dead-letter': page(() => import('./pages/admin/support/AdminDeadLetterPage')),
  'organization-home': page(() => import('./pages/organisation/OrganizationHomePage')),
  'organization-choose': page(() => import('./pages/organisation/OrganizationChoosePage')),
  'organization-members': page(() => import('./pages/organisation/OrganizationMembersPage')),
  'organization-contracts': page(() => import('./pages/organisation/OrganizationContractsPage')),
  'organization-orders': page(() => import('./pages/organisation/OrganizationOrdersPage')),
  certificate: page(() => import('./pages/certificates/CertificatePage')),
  'certificate-check': page(() => import('./pages/certificates/CertificateCheckPage')),
};

export const AREA_PAGE_IDS = Object.keys(PAGES);

const LAYOUTS: Record<string, Layout> = { area: AreaLayout, blank: BlankLayout };

const NoLayout: Layout = ({ children }) => children;

export const AREA_ROUTES: Routes = {
  pages: PAGES,
  layoutOf: ({ area }: PageData) => LAYOUTS[area?.layout ?? 'blank'] ?? BlankLayout,
  errorLayoutOf: () => NoLayout,
  pageIdAt: (path) => rowAt(table.area_pages, path)?.id,
  // Node renders what is for one person without their session.
  requiresAuthCheck: ({ area }: PageData) => Boolean(area?.signIn),
};
