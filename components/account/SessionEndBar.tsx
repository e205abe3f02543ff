import sessionEndStyles from '../../static/css/session-end.css?text';
import { useSite } from '../api/site';
import { timeText } from '../format/dateTime';
import { useStyles } from '../ui/useStyles';

type SessionEndBarProps = { isOver: boolean; expiresAt: string; href: string };

/** How long the sign-in lasts, and the way to a new one. */
export function SessionEndBar({ isOver, expiresAt, href }: SessionEndBarProps) {
  useStyles(sessionEndStyles);
  const { forms } = useSite();
  return (
    <p className="session-end">
      {isOver ? 'Your sign-in has ended.' : `Signed in until ${timeText(expiresAt, forms)}.`}{' '}
      <a href={href}>{isOver ? 'Sign in again' : 'Stay signed in'}</a>
    </p>
  );
}
