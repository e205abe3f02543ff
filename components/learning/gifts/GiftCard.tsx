import { useEffect, useState } from 'react';
import { claimGift } from '../../api/learning/gifts';
import { useRefresh } from '../../api/session/privatePage';
import { cutFromAddress, forgetCut } from '../../browser/session/cutAddress';
import type { GiftCard as GiftCardData, LearningLink, SessionInfo } from '../../contracts/schema';
import { CallError } from '../../forms/call/SignInAgain';
import { useCall } from '../../forms/call/useCall';
import { isolated } from '../../model/isolated';
import { Button } from '../../ui/controls/Button';
import { Notice } from '../../ui/Notice';
import { useRestoredFocus } from '../../ui/useRestoredFocus';
import { LearningPart } from '../LearningPart';

export type GiftCardProps = { gift: GiftCardData; learner: SessionInfo['learner'] };

const SECRETS = ['giftToken'];

/** The gift of the link that led here: accepted with a button, or why it cannot be. */
export function GiftCard({ gift, learner }: GiftCardProps) {
  // Whoever has the address could accept it: it may be copied, shown on a screen that is shared, or kept in the history.
  useEffect(() => cutFromAddress(SECRETS), []);
  const [claimed, setClaimed] = useState<LearningLink[] | null>(gift.isClaimed ? gift.courses : null);
  // The button that had the focus goes when the gift is accepted.
  const accepted = useRestoredFocus<HTMLDivElement>(claimed ? 0 : 1);
  if (gift.refusal && !claimed)
    return (
      <Notice kind="warning" title="This gift cannot be accepted">
        <p>{gift.refusal}</p>
      </Notice>
    );
  const { name, giver, message } = gift;
  return (
    <LearningPart
      title={giver ? `A gift from ${isolated(giver)}` : 'A gift for you'}
      className="panel learning-part--card gift-card"
    >
      <p>
        <strong>{name}</strong>
      </p>
      {message && <p className="gift-card__message">{message}</p>}
      <div role="status" tabIndex={-1} ref={accepted}>
        {claimed && <p>It is yours now.</p>}
      </div>
      {claimed ? (
        <CourseLinks courses={claimed} />
      ) : (
        <AcceptGift gift={gift} learner={learner} onClaimed={setClaimed} />
      )}
    </LearningPart>
  );
}

type AcceptGiftProps = GiftCardProps & { onClaimed: (courses: LearningLink[]) => void };

/** The link may have been opened with another account than was meant: the card says with which. */
function AcceptGift({ gift, learner, onClaimed }: AcceptGiftProps) {
  const call = useCall();
  const refresh = useRefresh();
  const account = learner.email || learner.name;

  async function accept() {
    const isDone = await call.run(async () => onClaimed((await claimGift(gift.token)).courses));
    if (!isDone) return;
    forgetCut(SECRETS);
    refresh().catch(() => undefined);
  }

  return (
    <>
      <p className="muted">
        {`It opens ${gift.courses.map((course) => isolated(course.name)).join(', ')}${account && `, for your account ${isolated(account)}`}.`}
      </p>
      <CallError call={call} />
      <div>
        <Button isBusy={call.isBusy} busyText="Accepting…" onClick={() => void accept()}>
          Accept the gift
        </Button>
      </div>
    </>
  );
}

function CourseLinks({ courses }: { courses: LearningLink[] }) {
  return (
    <ul className="gift-card__courses">
      {courses.map(({ name, href }) => (
        <li key={href}>
          <a className="button" href={href}>{`Go to ${isolated(name)}`}</a>
        </li>
      ))}
    </ul>
  );
}
