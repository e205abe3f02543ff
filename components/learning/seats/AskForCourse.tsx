import { type FormEvent, useId } from 'react';
import { askForSeat } from '../../api/learning/seats';
import type { SeatOutcome, SeatsCard } from '../../contracts/schema';
import type { Call } from '../../forms/call/useCall';
import { SelectField } from '../../forms/SelectField';
import { Button } from '../../ui/controls/Button';

type AskForCourseProps = {
  choices: SeatsCard['choices'];
  call: Call;
  onRun: (send: () => Promise<SeatOutcome>) => void;
};

/** A course of the organisation's contract: given at once while a seat is free, else the member waits. */
export function AskForCourse({ choices, call, onRun }: AskForCourseProps) {
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
