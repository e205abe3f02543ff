import { useState } from 'react';
import { sendGiftAgain } from '../../api/orders/gifts';
import type { OrderGift } from '../../contracts/schema';
import type { Format } from '../../format/format';
import { CallError } from '../../forms/call/SignInAgain';
import { useCall } from '../../forms/call/useCall';
import { Button } from '../../ui/controls/Button';
import { useRestoredFocus } from '../../ui/useRestoredFocus';

type LineGiftProps = { gift: OrderGift; code: string; number: number; format: Format };

/** For whom a line is a gift, and what became of it. Its mail can be sent again until it is accepted. */
export function LineGift({ gift, code, number, format }: LineGiftProps) {
  const call = useCall();
  const [sent, setSent] = useState('');
  const answer = useRestoredFocus<HTMLParagraphElement>(sent ? 0 : 1);
  const { stateText, claimedAt, canSendAgain } = gift;
  const send = () => call.run(async () => setSent((await sendGiftAgain(code, number)).message));
  return (
    <div className="line-gift">
      <p className="hint">
        {wordsOf(gift, format)}
        {stateText && ` ${stateText}${claimedAt ? ` on ${format.date(claimedAt)}` : ''}.`}
      </p>
      {canSendAgain && (
        <>
          <CallError call={call} />
          <p className="hint" role="status" tabIndex={-1} ref={answer}>
            {sent}
          </p>
          {!sent && (
            <Button variant="text" isBusy={call.isBusy} busyText="Sending…" onClick={() => void send()}>
              Send the email again
            </Button>
          )}
        </>
      )}
    </div>
  );
}

/** The address is gone once its owner or the giver has deleted their account. */
function wordsOf({ recipientEmail, sendAt }: OrderGift, format: Format): string {
  return `A gift${recipientEmail && ` for ${recipientEmail}`}${sendAt ? `, for ${format.date(sendAt)}` : ''}.`;
}
