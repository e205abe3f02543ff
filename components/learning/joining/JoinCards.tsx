import { useEffect } from 'react';
import { cutFromAddress } from '../../browser/session/cutAddress';
import type { JoinOffers, SessionInfo } from '../../contracts/schema';
import { Notice } from '../../ui/Notice';
import { JoinCard } from './JoinCard';

export type JoinCardsProps = { join: JoinOffers; learner: SessionInfo['learner'] };

const SECRETS = ['inviteToken', 'joinCode'];

/** The organisations that may be joined: of the link that led here, and of the learner's own address. */
export function JoinCards({ join, learner }: JoinCardsProps) {
  // The address may be copied, shown on a screen that is shared, or kept in the history.
  useEffect(() => cutFromAddress(SECRETS), []);
  return (
    <>
      {join.refusal && (
        <Notice kind="warning" title="This link cannot be used">
          <p>{join.refusal}</p>
        </Notice>
      )}
      {join.cards.map((card) => (
        <JoinCard
          key={card.invitationId ?? `${card.kind} ${card.organisationId}`}
          card={card}
          learner={learner}
        />
      ))}
    </>
  );
}
