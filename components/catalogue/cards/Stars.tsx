import { barClass, type Format } from '../../format/format';

type StarsProps = { rating: number; format: Format };

/** One element; the five stars are a mask in the style sheet, filled in steps of half a star. */
export function Stars({ rating, format }: StarsProps) {
  const label = `Rated ${format.rating(rating)} out of 5`;
  return <span className={`stars ${barClass(rating / 5)}`} role="img" aria-label={label} />;
}
