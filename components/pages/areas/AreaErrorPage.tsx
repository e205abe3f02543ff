import { useShop } from '../../api/site';
import type { AreaErrorProps } from '../../contracts/schema';

/** Instead of a page of an area: not permitted, not found, or failed. */
export function AreaErrorPage({ heading, message, permission, roles }: AreaErrorProps) {
  const home = useShop().page?.area?.home ?? '/';
  return (
    <div className="area-message">
      <h1>{heading}</h1>
      <p>{message}</p>
      {permission && (
        <dl className="area-message__facts">
          <dt>Permission</dt>
          <dd>
            <code>{permission}</code>
          </dd>
          <dt>Roles that have it</dt>
          <dd>{roles.join(', ')}</dd>
        </dl>
      )}
      <a href={home}>Back to the start page</a>
    </div>
  );
}
