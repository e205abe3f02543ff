import trialStyles from '../../../static/css/coupon-trial.css?text';
import { ActionView } from '../../admin/actions/ActionView';
import { IntervalPicture } from '../../admin/coupons/IntervalPicture';
import { Fold } from '../../admin/Fold';
import type { CouponTrialProps } from '../../contracts/schema';
import { Notice } from '../../ui/Notice';
import { useStyles } from '../../ui/useStyles';

/** What a trial of the special offer has shown so far. */
export function AdminCouponTrialPage({ intervals, progress, warnings, about, ...props }: CouponTrialProps) {
  useStyles(trialStyles);
  return (
    <ActionView {...props} isFolded>
      <section className="area-part" aria-labelledby="trial-result">
        <h2 className="heading-m" id="trial-result">
          Result
        </h2>
        {warnings.map((warning) => (
          <Notice key={warning} kind="warning" title="This spoils the trial">
            <p>{warning}</p>
          </Notice>
        ))}
        <p>{progress}</p>
        {intervals.map((interval) => (
          <IntervalPicture key={interval.id} interval={interval} />
        ))}
        <Fold title="How a trial is counted">
          <p className="area-text">{about}</p>
        </Fold>
      </section>
    </ActionView>
  );
}
