import { useState } from 'react';
import { claimGift } from '../../api/learning/gifts';
import { useRefresh } from '../../api/session/privatePage';
import type { GiftCard as GiftCardData, LearningLink } from '../../contracts/schema';
import { CallError } from '../../forms/call/SignInAgain';
import { useCall } from '../../forms/call/useCall';
import { Button } from '../../ui/controls/Button';
import { Notice } from '../../ui/Notice';
import { LearningPart } from '../LearningPart';

/** The gift of the link that led here: accepted with a button, or why it cannot be. */
export function GiftCard({ gift }: { gift: GiftCardData }) {
  const call = useCall();
  const refresh = useRefresh();
  const [claimed, setClaimed] = useState<LearningLink[] | null>(gift.isClaimed ? gift.courses : null);
  const { name, giver, message, courses, refusal } = gift;

  async function accept() {
    if (await call.run(async () => setClaimed((await claimGift(gift.token)).courses))) void refresh();
  }

  if (refusal && !claimed)
    return (
      <Notice kind="warning" title="This gift cannot be accepted">
        <p>{refusal}</p>
      </Notice>
    );
  return (
    <LearningPart
      title={giver ? `A gift from ${giver}` : 'A gift for you'}
      className="panel learning-part--card"
    >
      <p>
        <strong>{name}</strong>
      </p>
      {message && <p className="own-review__text">{message}</p>}
      <div role="status">{claimed && <p>It is yours now.</p>}</div>
      {claimed ? (
        <ul>
          {claimed.map((course) => (
            <li key={course.href}>
              <a href={course.href}>{`Go to ${course.name}`}</a>
            </li>
          ))}
        </ul>
      ) : (
        <>
          <p className="muted">{`It opens ${courses.map((course) => course.name).join(', ')}.`}</p>
          <CallError call={call} />
          <div>
            <Button isBusy={call.isBusy} busyText="Accepting…" onClick={() => void accept()}>
              Accept the gift
            </Button>
          </div>
        </>
      )}
    </LearningPart>
  );
}
