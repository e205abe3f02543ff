import { useEffect, useState } from 'react';
import { readPeopleFile } from '../../api/organisation/peopleFiles';
import type { PeopleFileStatus } from '../../contracts/schema';
import { isUnfinished } from '../../forms/FileJob';

// The pauses between two looks; the last is repeated.
const PAUSES_MS = [1000, 2000, 4000];

/** The state of a file's job, looked at until it has ended. */
export function usePeopleFile(initial: PeopleFileStatus | null) {
  const [job, setJob] = useState(initial);
  useEffect(() => setJob(initial), [initial]);
  const id = job !== null && isUnfinished(job) ? job.id : null;

  useEffect(() => {
    if (id === null) return;
    let look = 0;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isOver = false;
    const wait = () => {
      timer = setTimeout(() => void read(id), PAUSES_MS[Math.min(look, PAUSES_MS.length - 1)]);
      look += 1;
    };
    async function read(wanted: number) {
      // A look that fails is repeated.
      const found = await readPeopleFile(wanted).catch(() => null);
      if (isOver) return;
      if (found) setJob(found);
      if (!found || isUnfinished(found)) wait();
    }
    wait();
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [id]);

  return [job, setJob] as const;
}
