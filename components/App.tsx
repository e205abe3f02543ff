import { useEffect } from 'react';
import { useAuth } from './api/auth';
import { SiteProvider } from './api/site';
import { markHydrated } from './browser/pageState';
import type { PageData, SiteProps, WaitingProps } from './contracts/schema';
import { requiresAuthCheck } from './model/servedPages';
import { layoutOf, loadedPage } from './routes';
import { LoadError } from './ui/loading/LoadError';
import { LoadingView } from './ui/loading/LoadingView';
import { ProgressBar } from './ui/loading/ProgressBar';
import { useAccountSync } from './useAccountSync';
import { useCurrentPage } from './useCurrentPage';
import { useVisitLog } from './visits/useVisitLog';

type AppProps = { site: SiteProps; first: PageData };

/** The whole document body. Node renders it once; in the browser it follows the router's location. */
export function App({ site, first }: AppProps) {
  const { data, isLoading, hasFailed, retry } = useCurrentPage(first, site.build);
  useVisitLog();
  useAccountSync(undefined);
  useEffect(markHydrated, []);
  const { isChecked } = useAuth();
  const Layout = layoutOf(data.page);
  const Page = loadedPage(data.page);
  return (
    <SiteProvider site={site}>
      <ProgressBar active={isLoading} />
      <Layout>
        {hasFailed ? (
          <LoadError onRetry={retry} />
        ) : requiresAuthCheck(data.page) && !isChecked ? (
          <LoadingView title={(data.props as WaitingProps).title} />
        ) : (
          <Page {...(data.props as Record<string, unknown>)} />
        )}
      </Layout>
    </SiteProvider>
  );
}
