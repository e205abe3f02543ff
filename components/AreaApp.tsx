import { useAreaSession } from './api/session/useAreaSession';
import { AREA_ROUTES } from './areaRoutes';
import { type AppProps, SiteBody } from './SiteBody';

/** The body of a document with pages of an area: nothing of the shop, so neither cart nor wishlist. */
export function AreaApp(props: AppProps) {
  return <SiteBody {...props} routes={AREA_ROUTES} useAccount={useAreaSession} />;
}
