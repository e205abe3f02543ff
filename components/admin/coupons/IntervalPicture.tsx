import type { CouponTrialProps } from '../../contracts/schema';

type Props = { interval: CouponTrialProps['intervals'][number] };

const WIDTH = 600;
const MARGIN = 30;

/** In which range the true difference lies, beside zero: a bar with its middle, and the same in words. */
export function IntervalPicture({ interval }: Props) {
  const { id, title, verdict, low, mean, high, lowText, meanText, highText, meaning } = interval;
  const place = placeOf(low, high);
  return (
    <figure className="interval area-box" aria-labelledby={`interval-${id}`}>
      <figcaption>
        <h3 className="heading-s" id={`interval-${id}`}>
          {title}
        </h3>
        <p className="interval__verdict">{verdict}</p>
      </figcaption>
      <svg className="interval__picture" viewBox={`0 0 ${WIDTH} 60`} aria-hidden="true">
        <line className="interval__axis" x1="0" x2={WIDTH} y1="30" y2="30" />
        <line className="interval__zero" x1={place(0)} x2={place(0)} y1="0" y2="60" />
        <rect
          className="interval__bar"
          x={place(low)}
          width={Math.max(place(high) - place(low), 4)}
          y="18"
          height="24"
        />
        <circle className="interval__mean" cx={place(mean)} cy="30" r="12" />
      </svg>
      <p className="interval__sides hint" aria-hidden="true">
        <span>← less with the offer</span>
        <span>more with the offer →</span>
      </p>
      <dl className="interval__numbers">
        <div>
          <dt>At least</dt>
          <dd>{lowText}</dd>
        </div>
        <div>
          <dt>Most likely</dt>
          <dd>{meanText}</dd>
        </div>
        <div>
          <dt>At most</dt>
          <dd>{highText}</dd>
        </div>
      </dl>
      <p className="hint">{`${meaning} The dashed line is no difference; the bar holds the truth in 95 of 100 trials.`}</p>
    </figure>
  );
}

/** Zero and the whole range are in the picture, with some room beside them. */
function placeOf(low: number, high: number): (value: number) => number {
  const least = Math.min(low, 0);
  const length = Math.max(high, 0) - least || 1;
  return (value) => MARGIN + ((value - least) / length) * (WIDTH - 2 * MARGIN);
}
