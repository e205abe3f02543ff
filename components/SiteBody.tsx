import { type ReactNode, useEffect } from 'react';
import { useAuth } from './api/auth';
import { SiteProvider } from './api/site';
import { markHydrated } from './browser/pageState';
import { reloadPage } from './browser/reload';
import type { Session } from './browser/session/session';
import type { PageData, SiteProps, WaitingProps } from './contracts/schema';
import { BlankLayout } from './layouts/BlankLayout';
import { loadedPage, type Routes } from './pageTable';
import { ErrorBoundary } from './ui/loading/ErrorBoundary';
import { LoadError } from './ui/loading/LoadError';
import { LoadingView } from './ui/loading/LoadingView';
import { PageProgress } from './ui/loading/PageProgress';
import { useCurrentPage } from './useCurrentPage';
import { useVisitLog } from './visits/useVisitLog';

export type AppProps = { site: SiteProps; first: PageData };

type SiteBodyProps = AppProps & {
  routes: Routes;
  /** Checks who is signed in. `known`: the session that came with a private page. */
  useAccount: (
    known: Session | null | undefined,
    build: string,
    replaceData: (data: PageData) => Promise<void>,
  ) => void;
};

/** The whole document body. Node renders it once; in the browser it follows the router's location. */
export function SiteBody({ site, first, routes, useAccount }: SiteBodyProps) {
  return (
    <SiteProvider site={site}>
      {/* For exceptions of the header and of SiteBody itself: a layout that reads nothing but the site's name. */}
      <ErrorBoundary fallback={<BlankLayout>{pageError(first)}</BlankLayout>}>
        <CurrentPage site={site} first={first} routes={routes} useAccount={useAccount} />
      </ErrorBoundary>
    </SiteProvider>
  );
}

function CurrentPage({ site, first, routes, useAccount }: SiteBodyProps) {
  const { data, isLoading, hasFailed, retry, replaceData } = useCurrentPage(first, site.build, routes);
  useVisitLog();
  useAccount(first.session, site.build, replaceData);
  useEffect(markHydrated, []);
  const Layout = routes.layoutOf(data);
  const ErrorLayout = routes.errorLayoutOf(data);
  const Page = loadedPage(data.page);
  const page = <Page {...(data.props as Record<string, unknown>)} />;
  return (
    <SiteProvider site={site} page={data} replaceData={replaceData}>
      {isLoading && <PageProgress />}
      <Layout>
        <ErrorBoundary resetKey={data} fallback={<ErrorLayout>{pageError(data)}</ErrorLayout>}>
          {hasFailed ? (
            <ErrorLayout>
              <LoadError onRetry={retry} />
            </ErrorLayout>
          ) : routes.requiresAuthCheck(data) ? (
            <AfterCheck title={(data.props as WaitingProps).title}>{page}</AfterCheck>
          ) : (
            page
          )}
        </ErrorBoundary>
      </Layout>
    </SiteProvider>
  );
}

/** A component of its own: the end of the check renders nothing else again, such as the 24 cards of a list. */
function AfterCheck({ title, children }: { title: string; children: ReactNode }) {
  return useAuth().isChecked ? children : <LoadingView title={title} />;
}

/** Shown instead of a page, or everything, that threw an exception. */
function pageError(page: PageData) {
  return (
    <LoadError
      title="Something went wrong on this page"
      text={page.area ? 'Nothing that was saved is lost.' : 'Your cart and wishlist are kept.'}
      page={page}
      onRetry={reloadPage}
    />
  );
}
