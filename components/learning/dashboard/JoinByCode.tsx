import fieldStyles from '../../../static/css/fields.css?text';
import { TextField } from '../../forms/TextField';
import { Button } from '../../ui/controls/Button';
import { useStyles } from '../../ui/useStyles';

/** For a join code that somebody was told: its card is the dashboard's, as that of a link. */
export function JoinByCode() {
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
