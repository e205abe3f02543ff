import type { IconName } from '../model/iconNames';

export type { IconName };

/** An icon beside a text with the same meaning, so it is always hidden from assistive technology. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg className="icon" width="20" height="20" aria-hidden="true">
      <use href={`/static/images/icons.svg#${name}`} />
    </svg>
  );
}
