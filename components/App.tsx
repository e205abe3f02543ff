import { useEffect } from 'react';
import { useAuth } from './api/auth';
import { SiteProvider } from './api/site';
import { markHydrated } from './browser/pageState';
import { reloadPage } from './browser/reload';
import type { PageData, SiteProps, WaitingProps } from './contracts/schema';
import { BlankLayout } from './layouts/BlankLayout';
import { requiresAuthCheck } from './model/servedPages';
import { errorLayoutOf, layoutOf, loadedPage } from './routes';
import { ErrorBoundary } from './ui/loading/ErrorBoundary';
import { LoadError } from './ui/loading/LoadError';
import { LoadingView } from './ui/loading/LoadingView';
import { PageProgress } from './ui/loading/PageProgress';
import { useAccountSync } from './useAccountSync';
import { useCurrentPage } from './useCurrentPage';
import { useVisitLog } from './visits/useVisitLog';

type AppProps = { site: SiteProps; first: PageData };

/** The whole document body. Node renders it once; in the browser it follows the router's location. */
export function App({ site, first }: AppProps) {
  return (
    <SiteProvider site={site}>
      {/* For exceptions of the header and of App itself: a layout that reads nothing but the site's name. */}
      <ErrorBoundary fallback={<BlankLayout>{pageError(first)}</BlankLayout>}>
        <CurrentPage site={site} first={first} />
      </ErrorBoundary>
    </SiteProvider>
  );
}

function CurrentPage({ site, first }: AppProps) {
  const { data, isLoading, hasFailed, retry, replaceData } = useCurrentPage(first, site.build);
  useVisitLog();
  useAccountSync(first.session);
  useEffect(markHydrated, []);
  const { isChecked } = useAuth();
  const Layout = layoutOf(data.page);
  const ErrorLayout = errorLayoutOf(data.page);
  const Page = loadedPage(data.page);
  return (
    <SiteProvider site={site} page={data} replaceData={replaceData}>
      {isLoading && <PageProgress />}
      <Layout>
        <ErrorBoundary resetKey={data} fallback={<ErrorLayout>{pageError(data)}</ErrorLayout>}>
          {hasFailed ? (
            <ErrorLayout>
              <LoadError onRetry={retry} />
            </ErrorLayout>
          ) : requiresAuthCheck(data.page) && !isChecked ? (
            <LoadingView title={(data.props as WaitingProps).title} />
          ) : (
            <Page {...(data.props as Record<string, unknown>)} />
          )}
        </ErrorBoundary>
      </Layout>
    </SiteProvider>
  );
}

/** Shown instead of a page, or everything, that threw an exception. */
function pageError(page: PageData) {
  return (
    <LoadError
      title="Something went wrong on this page"
      text="Your cart and wishlist are kept."
      page={page}
      onRetry={reloadPage}
    />
  );
}
