import { ActionView } from '../../admin/actions/ActionView';
import { useSite } from '../../api/site';
import type { RetiredProductProps } from '../../contracts/schema';
import { Chart } from '../../ui/chart/Chart';

export function AdminRetiredProductPage({ visits, ...props }: RetiredProductProps) {
  const site = useSite();
  return (
    <ActionView
      {...props}
      before={
        <section className="area-part" aria-labelledby="retired-visits">
          <h2 className="heading-m" id="retired-visits">
            Is it still looked for?
          </h2>
          <Chart chart={visits} site={site} />
        </section>
      }
    />
  );
}
