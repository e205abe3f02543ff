import { useSite } from '../../api/site';
import type { LocaleForms } from '../../contracts/schema';
import { timeText } from '../../format/dateTime';
import { Icon } from '../../ui/Icon';

export type OfflineTextProps = {
  /** Another page was asked for. */
  wasRefused: boolean;
  view: string;
  /** When the host made what is on screen. */
  madeAt: string;
};

/** What the missing connection means for the page on screen. */
export function OfflineText({ wasRefused, view, madeAt }: OfflineTextProps) {
  const { forms } = useSite();
  return (
    <p className="offline__note">
      <Icon name="info" />
      <span>{wasRefused ? REFUSED : textOf(view, madeAt, forms)}</span>
    </p>
  );
}

const REFUSED = 'You are offline. This page was not loaded before, so it opens when you are connected again.';

function textOf(view: string, madeAt: string, forms: LocaleForms): string {
  return view === 'lesson'
    ? 'You are offline. Your work is kept here and saved when you are connected again.'
    : `You are offline. This is how it was as of ${timeText(madeAt, forms)}.`;
}
