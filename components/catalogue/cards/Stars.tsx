import { barClass, type Format } from '../ui/format';

type StarsProps = { rating: number; format: Format };

/** One element; the five stars are a mask in the stylesheet, filled to the half star. */
export function Stars({ rating, format }: StarsProps) {
  const label = `Rated ${format.rating(rating)} out of 5`;
  return <span className={`stars ${barClass(rating / 5)}`} role="img" aria-label={label} />;
}
