import type { DeclinedInvitation, JoinCard, JoinedOrganisation } from '../../contracts/schema';
import { post } from '../client';

/** Joins the organisation of a card. Rejects with 404 for one that can no longer be joined. */
export function joinOrganisation(card: JoinCard, sharesProgress: boolean): Promise<JoinedOrganisation> {
  const { kind, invitationId, token, code, organisationId } = card;
  if (kind === 'invitation') {
    return post(`/learning/invitations/${invitationId}/accept`, { token, sharesProgress });
  }
  return post(
    '/learning/join',
    kind === 'code' ? { code, sharesProgress } : { organisationId, sharesProgress },
  );
}

export const declineInvitation = ({ invitationId, token }: JoinCard) =>
  post<DeclinedInvitation>(`/learning/invitations/${invitationId}/decline`, { token });
