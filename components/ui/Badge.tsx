import { Icon, type IconName } from './Icon';

export type BadgeTone = 'neutral' | 'info' | 'good' | 'warning' | 'bad';

/** A sign of its own for each tone: colours alone do not tell them apart. */
const ICONS: Record<BadgeTone, IconName | null> = {
  neutral: null,
  info: 'info',
  good: 'check',
  warning: 'warning',
  bad: 'close',
};

type BadgeProps = { tone?: BadgeTone; text: string };

/** The state of something in one or two words. Its style sheet is badge.css. */
export function Badge({ tone = 'neutral', text }: BadgeProps) {
  const icon = ICONS[tone];
  return (
    <span className={`badge badge--${tone}`}>
      {icon && <Icon name={icon} />}
      {text}
    </span>
  );
}
