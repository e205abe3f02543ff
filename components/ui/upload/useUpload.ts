import { useEffect, useRef, useState } from 'react';
import { type Purpose, sendFile } from '../../api/admin/uploads';
import { ApiProblem } from '../../api/client';
import type { Upload } from '../../contracts/schema';

type UploadState = {
  file: File | null;
  /** Bytes that the site has. */
  sent: number;
  state: 'empty' | 'sending' | 'paused' | 'failed' | 'done';
  /** Why it failed; "" otherwise. */
  error: string;
};

export type UploadControl = UploadState & {
  choose: (file: File) => void;
  pause: () => void;
  resume: () => void;
};

const EMPTY: UploadState = { file: null, sent: 0, state: 'empty', error: '' };

/** Sends one file at a time. Leaving the page ends it; choosing the same file again goes on where it was. */
export function useUpload(
  purpose: Purpose,
  maxBytes: number,
  onDone: (upload: Upload) => void,
): UploadControl {
  const [state, setState] = useState(EMPTY);
  const running = useRef<AbortController | null>(null);
  const change = (values: Partial<UploadState>) => setState((before) => ({ ...before, ...values }));
  useEffect(() => () => running.current?.abort(), []);

  async function send(file: File) {
    running.current?.abort();
    const controller = new AbortController();
    running.current = controller;
    change({ file, state: 'sending', error: '' });
    try {
      const upload = await sendFile(file, purpose, (sent) => change({ sent }), controller.signal);
      change({ state: 'done' });
      onDone(upload);
    } catch (problem) {
      // Paused, or another file was chosen.
      if (!controller.signal.aborted) change({ state: 'failed', error: textOf(problem) });
    }
  }

  return {
    ...state,
    choose: (file) => {
      setState(EMPTY);
      const most = Math.floor(maxBytes / 2 ** 20);
      if (file.size === 0) change({ file, state: 'failed', error: 'This file is empty.' });
      else if (file.size > maxBytes)
        change({ file, state: 'failed', error: `This file is too large: ${most} MiB is the most.` });
      else void send(file);
    },
    pause: () => {
      running.current?.abort();
      change({ state: 'paused' });
    },
    resume: () => {
      if (state.file) void send(state.file);
    },
  };
}

function textOf(problem: unknown): string {
  if (!(problem instanceof ApiProblem)) return 'The file could not be read. Choose it again.';
  return Object.values(problem.errors)[0] ?? problem.detail;
}
