import { type ChangeEvent, useId } from 'react';
import { ownZone, type Times, times } from '../browser/timeZone';
import { useTimes, zoneName } from '../ui/StaffTime';

type TimesChoiceProps = { shopZone: string };

/** In which zone this browser writes the times of the area; rendered in the browser only. */
export function TimesChoice({ shopZone }: TimesChoiceProps) {
  const id = useId();
  const chosen = useTimes();
  const own = ownZone();
  const options: [Times, string][] = [
    ['utc', 'UTC'],
    ['shop', `Shop (${zoneName(shopZone)})`],
    ['own', `Mine (${zoneName(own)})`],
  ];
  // What says the same as another one is left out, unless it is chosen.
  const shown = options.filter(
    ([value]) =>
      value === chosen ||
      value === 'utc' ||
      (value === 'shop' ? shopZone !== 'UTC' : own !== 'UTC' && own !== shopZone),
  );
  if (shown.length === 1) return null;
  return (
    <div className="area-nav__times">
      <label className="area-nav__title" htmlFor={id}>
        Times
      </label>
      <select
        id={id}
        className="field__input"
        value={chosen}
        onChange={(event: ChangeEvent<HTMLSelectElement>) => times.set(event.target.value as Times)}
      >
        {shown.map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    </div>
  );
}
