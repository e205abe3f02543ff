import { Badge, type BadgeTone } from '../../ui/Badge';
import { Progress } from '../../ui/loading/Progress';
import { Placeholder, Skeleton } from '../../ui/loading/Skeleton';
import { Group, State } from '../guide/Guide';
import { UNBROKEN } from '../guide/texts';

const BADGES: [tone: BadgeTone, text: string][] = [
  ['neutral', 'Draft'],
  ['info', 'Scheduled'],
  ['good', 'Published'],
  ['warning', 'Not confirmed'],
  ['bad', 'Refused'],
];

/** Badges, progress and skeletons in all their states. */
export function StatusStates() {
  return (
    <>
      <Group id="badges" title="Badges" text="A state in one or two words. Each tone has a sign of its own.">
        <State label="Neutral, information, good, warning, bad; that of a sale">
          <p className="guide__row row">
            {BADGES.map(([tone, text]) => (
              <Badge key={tone} tone={tone} text={text} />
            ))}
            <span className="badge">Save 20%</span>
          </p>
        </State>
        <State label="Longer than its place">
          <Badge tone="warning" text={UNBROKEN} />
        </State>
      </Group>
      <Group id="progress" title="Progress">
        <State label="Begun, on its way, done, with its words">
          <div className="guide__boxes">
            <Progress label="Import of courses" value={0} text="0 of 3,412 rows" />
            <Progress label="Import of courses" value={1204} max={3412} text="1,204 of 3,412 rows" />
            <Progress label="Import of courses" value={3412} max={3412} text="3,412 rows" />
          </div>
        </State>
        <State label="Not known how much; in a table, whose column has the label">
          <div className="guide__boxes">
            <Progress label="Checking the file" value={null} />
            <Progress label="Payroll Basics" value={42} text="42%" isLabelHidden />
          </div>
        </State>
        <State label="Longer than its place">
          <Progress label={UNBROKEN} value={60} text={UNBROKEN.slice(0, 40)} />
        </State>
      </Group>
      <Group
        id="skeletons"
        title="Skeletons"
        text="As large as what follows. They move unless motion is reduced."
      >
        <State label="Lines of a text, below their title">
          <Skeleton label="Loading a text">
            <Placeholder shape="title" />
            <Placeholder shape="line" count={3} />
          </Skeleton>
        </State>
        <State label="Rows, fields">
          <div className="guide__boxes">
            <Skeleton label="Loading rows">
              <Placeholder shape="row" count={3} />
            </Skeleton>
            <Skeleton label="Loading a form" className="guide__fields">
              <Placeholder shape="field" count={2} />
            </Skeleton>
          </div>
        </State>
      </Group>
    </>
  );
}
