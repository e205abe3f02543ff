import { useAuth } from './api/auth';
import type { PageData, Site, WaitingProps } from './api/pageProps';
import { waitsForCheck } from './api/servedPages';
import { SiteProvider } from './api/site';
import { useCartLife } from './cart/useCartLife';
import { layoutOf, loadedPage } from './routes';
import { LoadFailed } from './ui/LoadFailed';
import { LoadingView } from './ui/LoadingView';
import { ProgressBar } from './ui/ProgressBar';
import { useShownPage } from './useShownPage';
import { useVisitLog } from './visits/useVisitLog';

type AppProps = { site: Site; first: PageData };

/** The whole document body. Node draws it once; in the browser it follows the router's location. */
export function App({ site, first }: AppProps) {
  const { data, isLoading, hasFailed, retry } = useShownPage(first, site.build);
  useVisitLog();
  useCartLife();
  const { isChecked } = useAuth();
  const Layout = layoutOf(data.page);
  const Page = loadedPage(data.page);
  return (
    <SiteProvider site={site}>
      <ProgressBar active={isLoading} />
      <Layout>
        {hasFailed ? (
          <LoadFailed onRetry={retry} />
        ) : waitsForCheck(data.page) && !isChecked ? (
          <LoadingView title={(data.props as WaitingProps).title} />
        ) : (
          <Page {...(data.props as Record<string, unknown>)} />
        )}
      </Layout>
    </SiteProvider>
  );
}
