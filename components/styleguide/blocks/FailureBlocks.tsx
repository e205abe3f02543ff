import { useState } from 'react';
import { ConfirmDialog } from '../../ui/ConfirmDialog';
import { Button } from '../../ui/controls/Button';
import { ErrorPanel, PanelBoundary } from '../../ui/loading/ErrorPanel';
import { offerUndo } from '../../ui/toasts/offerUndo';
import { Group, State } from '../guide/Guide';
import { SENTENCE, UNBROKEN } from '../guide/texts';

const noop = () => undefined;

/** Before something is lost, after it, and when something fails. */
export function FailureBlocks() {
  const [typedName, setTypedName] = useState<string | null>(null);
  const [undone, setUndone] = useState(0);
  return (
    <Group id="failures" title="Dialogs and failures">
      <State label="A question before what takes work to undo; before what cannot be undone; undo for 10 s">
        <p className="guide__row row">
          <Button variant="quiet" onClick={() => setTypedName('')}>
            Ask
          </Button>
          <Button variant="danger" onClick={() => setTypedName('Payroll Basics')}>
            Delete the course…
          </Button>
          <Button
            variant="quiet"
            onClick={() =>
              void offerUndo('Payroll Basics was retired.', () => setUndone((count) => count + 1))
            }
          >
            Offer to undo
          </Button>
          <span role="status">{undone > 0 && `Undone ${undone} times.`}</span>
        </p>
        {typedName !== null && (
          <ConfirmDialog
            question={typedName ? 'Delete this course?' : 'Are you sure?'}
            text={
              typedName ? 'Its lessons and reviews go with it.' : 'What you saved for later stays as it is.'
            }
            yes={typedName ? 'Delete' : 'Clear cart'}
            no="Keep it"
            {...(typedName && { typedName })}
            onYes={noop}
            onClose={() => setTypedName(null)}
          />
        )}
      </State>
      <State label="A part that failed: with a reference, longer than its place" ground="bare">
        <ErrorPanel
          title="The sales of this month could not be shown"
          text="The rest of the page works."
          reference="0af7651916cd43dd8448eb211c80319c"
          onRetry={noop}
        />
        <ErrorPanel title={UNBROKEN} text={SENTENCE} onRetry={noop} />
      </State>
      <State label="A part that fails when you press">
        <PanelBoundary title="This part could not be shown">
          <Fragile />
        </PanelBoundary>
      </State>
    </Group>
  );
}

function Fragile() {
  const [isBroken, setIsBroken] = useState(false);
  if (isBroken) throw new Error('Broken on purpose, in the styleguide');
  return (
    <Button variant="quiet" onClick={() => setIsBroken(true)}>
      Break it
    </Button>
  );
}
