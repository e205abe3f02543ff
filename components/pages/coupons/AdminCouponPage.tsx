import { ActionView } from '../../admin/actions/ActionView';
import { Fold } from '../../admin/Fold';
import { useSite } from '../../api/site';
import type { CouponPageProps } from '../../contracts/schema';
import { Chart } from '../../ui/chart/Chart';

export function AdminCouponPage({ hours, ...props }: CouponPageProps) {
  const site = useSite();
  return (
    <ActionView {...props} isFolded>
      <section className="area-part" aria-labelledby="coupon-hours">
        <h2 className="heading-m" id="coupon-hours">
          Who came with it
        </h2>
        <Chart chart={hours.chart} site={site} />
        <Fold title="What is counted">
          <p className="area-text">{hours.about}</p>
        </Fold>
      </section>
    </ActionView>
  );
}
