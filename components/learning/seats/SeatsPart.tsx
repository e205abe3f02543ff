import { type FormEvent, useId, useState } from 'react';
import { askForSeat, keepSeat, pauseSeat, withdrawRequest } from '../../api/learning/seats';
import { useRefresh } from '../../api/session/privatePage';
import type { SeatCard, SeatOutcome, SeatsCard } from '../../contracts/schema';
import { CallError } from '../../forms/call/SignInAgain';
import { type Call, useCall } from '../../forms/call/useCall';
import { SelectField } from '../../forms/SelectField';
import { isolated } from '../../model/isolated';
import { Button } from '../../ui/controls/Button';
import { LearningPart } from '../LearningPart';

const PAUSE_DAYS = 90;

type Run = (send: () => Promise<SeatOutcome>) => void;

/** The seats that a member has of their organisations, what they wait for, and asking for a course. */
export function SeatsPart({ seats }: { seats: SeatsCard }) {
  const call = useCall();
  const refresh = useRefresh();
  const [done, setDone] = useState('');

  async function run(send: () => Promise<SeatOutcome>) {
    setDone('');
    const isDone = await call.run(async () => setDone((await send()).text));
    if (isDone) refresh().catch(() => undefined);
  }

  const start: Run = (send) => void run(send);
  return (
    <LearningPart title="Seats of your organisation" className="panel learning-part--card stack seats-part">
      <CallError call={call} />
      <p role="status">{done}</p>
      {seats.seats.length > 0 && (
        <ul className="stack">
          {seats.seats.map((seat) => (
            <Seat key={seat.id} seat={seat} call={call} onRun={start} />
          ))}
        </ul>
      )}
      {seats.waiting.length > 0 && (
        <ul className="stack">
          {seats.waiting.map(({ id, course, organisation, place }) => (
            <li key={id}>
              <p>{`You wait for ${isolated(course)} at ${isolated(organisation)}: number ${place} in the queue.`}</p>
              <Button
                variant="quiet"
                isBusy={call.isBusy}
                busyText="Please wait…"
                label={`Do not wait any more: ${course}`}
                onClick={() => start(() => withdrawRequest(id))}
              >
                Do not wait any more
              </Button>
            </li>
          ))}
        </ul>
      )}
      {seats.choices.length > 0 && <AskForCourse choices={seats.choices} call={call} onRun={start} />}
      {seats.history.length > 0 && (
        <details>
          <summary>What happened to your seats</summary>
          <ul>
            {seats.history.map(({ id, day, text }) => (
              <li key={id}>{`${day}: ${text}`}</li>
            ))}
          </ul>
        </details>
      )}
    </LearningPart>
  );
}

function Seat({ seat, call, onRun }: { seat: SeatCard; call: Call; onRun: Run }) {
  const { id, number, organisation, courses, text, canConfirm, canPause, isPaused, hasNotice } = seat;
  const name = courses.join(', ') || organisation;
  return (
    <li>
      <p>
        <strong>
          {courses.length > 0 ? `${isolated(name)} (${isolated(organisation)}, seat ${number})` : name}
        </strong>
      </p>
      <p className={hasNotice ? undefined : 'muted'}>{text}</p>
      <div className="row">
        {canConfirm && (
          <Button
            variant={hasNotice ? 'main' : 'quiet'}
            isBusy={call.isBusy}
            busyText="Please wait…"
            label={`I still need it: ${name}`}
            onClick={() => onRun(() => keepSeat(id))}
          >
            I still need it
          </Button>
        )}
        {(canPause || isPaused) && (
          <Button
            variant="quiet"
            isBusy={call.isBusy}
            busyText="Please wait…"
            label={`${isPaused ? 'End the pause' : `Pause for ${PAUSE_DAYS} days`}: ${name}`}
            onClick={() => onRun(() => pauseSeat(id, isPaused ? 0 : PAUSE_DAYS))}
          >
            {isPaused ? 'End the pause' : `Pause for ${PAUSE_DAYS} days`}
          </Button>
        )}
      </div>
    </li>
  );
}

type AskForCourseProps = {
  choices: SeatsCard['choices'];
  call: Call;
  onRun: (send: () => Promise<SeatOutcome>) => void;
};

/** A course of the organisation's contract: given at once while a seat is free, else the member waits. */
function AskForCourse({ choices, call, onRun }: AskForCourseProps) {
  const id = useId();

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const course = Number(new FormData(event.currentTarget).get('course'));
    if (course) onRun(() => askForSeat(course));
  }

  return (
    <form className="stack" onSubmit={submit}>
      <SelectField
        id={id}
        name="course"
        label="Ask for a course"
        required
        options={choices.map((choice) => ({ value: String(choice.id), label: choice.name }))}
      />
      <div>
        <Button variant="quiet" isBusy={call.isBusy} busyText="Asking…">
          Ask for a seat
        </Button>
      </div>
    </form>
  );
}
