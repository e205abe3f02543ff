import { useState } from 'react';
import { Badge, type BadgeTone } from '../../ui/Badge';
import { ConfirmDialog } from '../../ui/ConfirmDialog';
import { Button } from '../../ui/controls/Button';
import { Icon, type IconName } from '../../ui/Icon';

export type RowBadge = { text: string; tone?: BadgeTone };
type Action = { text: string; onPress: () => void };

type ContactRowProps = {
  icon: IconName;
  text: string;
  note?: string;
  badges?: (RowBadge | false)[];
  isBusy: boolean;
  actions?: (Action | false)[];
  /** The question before removal; null: it cannot be removed. */
  question: string | null;
  removal?: string;
  onRemove: () => void;
};

export const NOT_CONFIRMED: RowBadge = { text: 'Not confirmed', tone: 'warning' };

/** One address, number or sign-in of the account, and its actions. */
export function ContactRow(props: ContactRowProps) {
  const {
    icon,
    text,
    note,
    badges = [],
    isBusy,
    actions = [],
    question,
    removal = 'Remove',
    onRemove,
  } = props;
  const [isConfirming, setIsConfirming] = useState(false);
  return (
    <li className="account-row">
      <Icon name={icon} />
      <div className="account-row__words">
        <p className="account-row__text row">
          {text}
          {badges.map((badge) => badge && <Badge key={badge.text} {...badge} />)}
        </p>
        {note && <p className="hint">{note}</p>}
      </div>
      <div className="account-row__actions row">
        {actions.map(
          (action) =>
            action && (
              <Button
                key={action.text}
                variant="text"
                label={`${action.text}: ${text}`}
                isDisabled={isBusy}
                onClick={action.onPress}
              >
                {action.text}
              </Button>
            ),
        )}
        {question !== null && (
          <Button
            variant="text-quiet"
            label={`${removal}: ${text}`}
            isDisabled={isBusy}
            onClick={() => setIsConfirming(true)}
          >
            {removal}
          </Button>
        )}
      </div>
      {isConfirming && question !== null && (
        <ConfirmDialog
          question={question}
          text="You can undo this only by doing it all over again."
          yes={removal}
          no="Keep it"
          onYes={onRemove}
          onClose={() => setIsConfirming(false)}
        />
      )}
    </li>
  );
}
