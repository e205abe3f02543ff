import { useState } from 'react';
import fieldStyles from '../../../static/css/fields.css?text';
import { useSite } from '../../api/site';
import { copyText } from '../../browser/navigation';
import { TextField } from '../../forms/TextField';
import { Button } from '../../ui/controls/Button';
import { useStyles } from '../../ui/useStyles';
import { LearningPart } from '../LearningPart';
import { ShowQR } from '../qr/ShowQR';

type InviteProps = {
  /** The learner's own student number. */
  number: string;
  href: string;
};

/** What one shares with others: a join code that one was told, and a link that says who recommended the shop. */
export function Invite({ number, href }: InviteProps) {
  const [answer, setAnswer] = useState('');
  const address = useSite().origin + href;

  async function copy() {
    setAnswer((await copyText(address)) ? 'Copied.' : 'Copying was refused: select the link instead.');
  }

  return (
    <>
      <JoinByCode />
      <LearningPart title="Invite a colleague" className="panel learning-part--card">
        <p className="muted">{`Your number is ${number}. Whoever opens this link sees your first name as their inviter.`}</p>
        <p className="invite__link">{address}</p>
        <div className="row invite__actions">
          <Button variant="quiet" onClick={() => void copy()}>
            Copy the link
          </Button>
          <ShowQR text={address} label={`QR code of ${address}`} buttonText="Show as QR code" />
        </div>
        <p className="hint invite__answer" role="status">
          {answer}
        </p>
      </LearningPart>
    </>
  );
}

/** For a join code that somebody was told: its card is the dashboard's, as that of a link. */
function JoinByCode() {
  useStyles(fieldStyles);
  return (
    <details className="panel learning-part--card join-by-code">
      <summary>Join an organisation with a code</summary>
      <form className="stack" action="/user-dashboard">
        <TextField
          id="join-code"
          name="joinCode"
          label="Join code"
          hint="12 letters and digits, from your organisation."
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          maxLength={20}
          required
        />
        <div>
          <Button variant="quiet">Look it up</Button>
        </div>
      </form>
    </details>
  );
}
