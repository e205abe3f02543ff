export type IconName =
  | 'arrow'
  | 'award'
  | 'book'
  | 'bookmark'
  | 'box'
  | 'calendar'
  | 'cart'
  | 'chart'
  | 'check'
  | 'chevron'
  | 'chip'
  | 'clock'
  | 'close'
  | 'copy'
  | 'eye'
  | 'flag'
  | 'globe'
  | 'heart'
  | 'info'
  | 'key'
  | 'laptop'
  | 'ledger'
  | 'level'
  | 'mail'
  | 'menu'
  | 'minus'
  | 'people'
  | 'person'
  | 'phone'
  | 'play'
  | 'plus'
  | 'receipt'
  | 'scales'
  | 'search'
  | 'shield'
  | 'sliders'
  | 'speech'
  | 'tag'
  | 'trash'
  | 'trend'
  | 'undo'
  | 'warning';

/** An icon beside a text with the same meaning, so it is always hidden from assistive technology. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg className="icon" width="20" height="20" aria-hidden="true">
      <use href={`/static/images/icons.svg#${name}`} />
    </svg>
  );
}
