import { type ReactNode, useEffect, useState } from 'react';
import { whilePassed } from '../../browser/visibility';
import type { CourseProps } from '../../contracts/schema';
import type { Format } from '../../format/format';

/** The id of what the bar stands in for once it is out of view. */
export const BUY_ID = 'buy';

type BuyBarProps = { course: CourseProps; format: Format; action: ReactNode };

/** On phones: price and button at the lower edge of the screen, as soon as those of the price box are out of view. */
export function BuyBar({ course, format, action }: BuyBarProps) {
  const [isShown, setIsShown] = useState(false);
  useEffect(() => whilePassed(BUY_ID, setIsShown), []);
  return (
    <div className="buy-bar" hidden={!isShown}>
      <strong className="buy-bar__price">{format.price(course.price)}</strong>
      {action}
    </div>
  );
}
