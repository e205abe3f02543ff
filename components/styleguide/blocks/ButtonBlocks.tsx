import { useState } from 'react';
import { Button, type ButtonVariant } from '../../ui/controls/Button';
import { Icon } from '../../ui/Icon';
import { Group, State } from '../guide/Guide';
import { UNBROKEN } from '../guide/texts';

const VARIANTS: [variant: ButtonVariant, text: string][] = [
  ['main', 'Save'],
  ['quiet', 'Cancel'],
  ['danger', 'Delete'],
  ['text', 'Send a new code'],
  ['text-quiet', 'Not now'],
];
const noop = () => undefined;

/** Buttons in all their states. */
export function ButtonBlocks() {
  const [isBusy, setIsBusy] = useState(false);
  return (
    <Group id="buttons-states" title="Button" text="One main button for the one thing to do.">
      <State label="Variants">
        <p className="guide__row row">
          {VARIANTS.map(([variant, text]) => (
            <Button key={variant} variant={variant} onClick={noop}>
              {text}
            </Button>
          ))}
          <Button onClick={noop}>
            <Icon name="plus" />
            With an icon
          </Button>
        </p>
      </State>
      <State label="Accent and ghost" ground="night">
        <p className="guide__row row">
          <Button variant="accent" onClick={noop}>
            Browse the catalogue
          </Button>
          <Button variant="ghost" onClick={noop}>
            How our courses are made
          </Button>
        </p>
      </State>
      <State label="Its call is under way; not possible now; press to see the change, its width stays">
        <p className="guide__row row">
          <Button isBusy busyText="Saving…" onClick={noop}>
            Save
          </Button>
          <Button variant="quiet" isBusy busyText="Gathering…" onClick={noop}>
            Download my data
          </Button>
          <Button isDisabled onClick={noop}>
            Save
          </Button>
          <Button variant="text" isDisabled onClick={noop}>
            Send a new code
          </Button>
          <Button
            isBusy={isBusy}
            busyText="Saving…"
            onClick={() => {
              setIsBusy(true);
              setTimeout(() => setIsBusy(false), 3000);
            }}
          >
            Try it
          </Button>
        </p>
      </State>
      <State label="Wide, and longer than its place">
        <div className="guide__fields">
          <Button isWide onClick={noop}>
            Continue
          </Button>
          <Button variant="quiet" busyText="Saving…" onClick={noop}>
            {UNBROKEN}
          </Button>
        </div>
      </State>
    </Group>
  );
}
