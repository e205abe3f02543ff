import { useState } from 'react';
import { copyText } from '../../browser/navigation';
import { Button } from '../../ui/controls/Button';

/** The number that staff and organisations ask for, with a button that copies it. */
export function StudentNumber({ number }: { number: string }) {
  const [answer, setAnswer] = useState('');

  async function copy() {
    setAnswer((await copyText(number)) ? 'Copied.' : 'Copying was refused: select the number instead.');
  }

  return (
    <p className="student-number row">
      <span>
        Student number <strong>{number}</strong>
      </span>
      <Button variant="text" label="Copy the student number" onClick={() => void copy()}>
        Copy
      </Button>
      <span className="hint" role="status">
        {answer}
      </span>
    </p>
  );
}
