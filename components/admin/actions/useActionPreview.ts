import { useEffect, useRef, useState } from 'react';
import { type ActionBody, previewAction } from '../../api/admin/actions';
import { ApiProblem } from '../../api/client';
import type { ActionPreview } from '../../contracts/schema';

const WAIT_MS = 600;

/** What an action would do with what is typed: the last text counts, whatever order the answers come in. */
export function useActionPreview(call: string | null) {
  const [preview, setPreview] = useState<ActionPreview | null>(null);
  const [isFailed, setFailed] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const newest = useRef(0);
  useEffect(() => () => clearTimeout(timer.current), []);

  async function load(body: ActionBody, request: number) {
    if (call === null) return;
    try {
      const found = await previewAction(call, body);
      if (request !== newest.current) return;
      setPreview(found);
      setFailed(false);
    } catch (problem) {
      // What is half typed is no failure: the form says what is wrong with it once it is sent.
      if (request === newest.current) setFailed(!(problem instanceof ApiProblem && problem.status === 422));
    }
  }

  /** `body` null: it is half typed, and the host would refuse it. */
  function show(body: ActionBody | null) {
    clearTimeout(timer.current);
    newest.current += 1;
    if (body === null) return;
    const request = newest.current;
    timer.current = setTimeout(() => void load(body, request), WAIT_MS);
  }

  return { preview, isFailed, show };
}
