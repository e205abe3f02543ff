export type IconName =
  | 'arrow'
  | 'award'
  | 'book'
  | 'box'
  | 'calendar'
  | 'chart'
  | 'check'
  | 'chevron'
  | 'chip'
  | 'clock'
  | 'close'
  | 'flag'
  | 'globe'
  | 'info'
  | 'ledger'
  | 'level'
  | 'mail'
  | 'menu'
  | 'people'
  | 'play'
  | 'receipt'
  | 'scales'
  | 'search'
  | 'sliders'
  | 'speech'
  | 'tag'
  | 'trend'
  | 'warning';

/** A picture beside words that say the same, so it is always hidden from assistive technology. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg className="icon" width="20" height="20" aria-hidden="true">
      <use href={`/static/images/icons.svg#${name}`} />
    </svg>
  );
}
