import { useEffect, useId, useState } from 'react';
import fieldStyles from '../../../static/css/fields.css?text';
import { declineInvitation, joinOrganisation } from '../../api/learning/joining';
import { useRefresh } from '../../api/session/privatePage';
import { returnFocus } from '../../browser/focus';
import { forgetCut } from '../../browser/session/cutAddress';
import type { JoinCard as JoinCardData, SessionInfo } from '../../contracts/schema';
import { CheckboxField } from '../../forms/CheckboxField';
import { CallError } from '../../forms/call/SignInAgain';
import { useCall } from '../../forms/call/useCall';
import { isolated } from '../../model/isolated';
import { Button } from '../../ui/controls/Button';
import { notify } from '../../ui/toasts/toasts';
import { useStyles } from '../../ui/useStyles';
import { LearningPart } from '../LearningPart';

type JoinCardProps = { card: JoinCardData; learner: SessionInfo['learner'] };

/** One organisation that may be joined, with all that is to be known before. */
export function JoinCard({ card, learner }: JoinCardProps) {
  useStyles(fieldStyles);
  const [isOver, setIsOver] = useState(false);
  useEffect(() => {
    if (isOver) returnFocus('main');
  }, [isOver]);
  if (isOver) return null;
  const { organisation, kind, role, team, courses } = card;
  const account = learner.email || learner.name;
  return (
    <LearningPart title={`Join ${isolated(organisation)}`} className="panel learning-part--card join-card">
      <p>
        {`${WAYS[kind]} You become ${role}${team && ` of the team ${isolated(team)}`}, with your account ${isolated(account)}.`}
      </p>
      {courses.length > 0 && <p>{`With it come: ${courses.join(', ')}.`}</p>}
      <Consequences card={card} />
      <Answer card={card} onOver={() => setIsOver(true)} />
    </LearningPart>
  );
}

const WAYS = {
  invitation: 'You are invited.',
  code: 'You have its join code.',
  domain: 'Your email address is one of its own.',
};

// In the address of the link that led here.
const SECRETS = { invitation: ['inviteToken'], code: ['joinCode'], domain: [] };

function Consequences({ card }: { card: JoinCardData }) {
  return (
    <ul className="join-card__consequences">
      <li>{card.sees}</li>
      <li>{card.neverSees}</li>
      {card.isRestricted && (
        <li>
          <strong>The shop changes:</strong>
          {` you will see and buy only what the contract of ${isolated(card.organisation)} covers.`}
        </li>
      )}
    </ul>
  );
}

function Answer({ card, onOver }: { card: JoinCardData; onOver: () => void }) {
  const id = useId();
  const call = useCall();
  const refresh = useRefresh();

  async function join(form: HTMLFormElement) {
    const shares = new FormData(form).get('sharesProgress') !== null;
    const isDone = await call.run(() => joinOrganisation(card, shares));
    if (isDone) end(`You belong to ${isolated(card.organisation)} now.`);
  }

  async function decline() {
    const isDone = await call.run(() => declineInvitation(card));
    if (isDone) end('The invitation is declined.');
  }

  function end(text: string) {
    void notify('success', text);
    onOver();
    forgetCut(SECRETS[card.kind]);
    refresh().catch(() => undefined);
  }

  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault();
        void join(event.currentTarget);
      }}
    >
      {card.canShare && (
        <CheckboxField
          id={`${id}-shares`}
          name="sharesProgress"
          label="Managers may also see my progress"
          hint="For each seat: when you started, the week of your last activity, how far you are, and your certificate. You can join without it."
        />
      )}
      <CallError call={call} />
      <p className="row join-card__buttons">
        <Button isBusy={call.isBusy} busyText="Joining…">
          {`Join ${isolated(card.organisation)}`}
        </Button>
        {card.kind === 'invitation' && (
          <Button variant="quiet" isBusy={call.isBusy} busyText="Please wait…" onClick={() => void decline()}>
            Decline
          </Button>
        )}
      </p>
    </form>
  );
}
