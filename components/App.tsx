import { ROUTES } from './routes';
import { type AppProps, SiteBody } from './SiteBody';
import { useAccountSync } from './useAccountSync';

/** The body of a document with public pages. */
export function App(props: AppProps) {
  return <SiteBody {...props} routes={ROUTES} useAccount={useAccountSync} />;
}
