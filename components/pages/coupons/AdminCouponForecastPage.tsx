import { ActionView } from '../../admin/actions/ActionView';
import { Fold } from '../../admin/Fold';
import { useRefreshWhile } from '../../admin/useRefreshWhile';
import type { CouponForecastProps } from '../../contracts/schema';

/** What a coupon would have done with past orders; loaded again until all are counted. */
export function AdminCouponForecastPage({ isRunning, answer, about, ...props }: CouponForecastProps) {
  useRefreshWhile(isRunning);
  return (
    <ActionView {...props} isFolded>
      <section className="area-part" aria-labelledby="forecast-answer">
        <h2 className="heading-m" id="forecast-answer">
          What it would have cost
        </h2>
        {isRunning && <p>Past orders are being priced again. This page shows the answer by itself.</p>}
        {answer.map((sentence) => (
          <p key={sentence}>{sentence}</p>
        ))}
        <Fold title="How this is counted">
          <p className="area-text">{about}</p>
        </Fold>
      </section>
    </ActionView>
  );
}
