import { useCallback, useEffect, useRef, useState } from 'react';
import { ApiProblem } from '../../api/client';
import { newerNote, saveNote } from '../../api/learning/notes';
import { lessonDrafts } from '../../browser/lessonDrafts/lessonDrafts';
import { watchLeaving } from '../../browser/lessonDrafts/watchLeaving';
import type { LessonNote } from '../../contracts/schema';

export type NoteState = 'idle' | 'saving' | 'saved' | 'waiting' | 'signed-out' | 'refused';

// After the last key.
const PAUSE_MS = 1500;

/** The learner's note: saved after a pause, kept in this browser until then, and never over a newer one. */
export function useNote(initial: LessonNote, learner: number) {
  const { lesson } = initial;
  const [draft] = useState(() => lessonDrafts.read('note', learner, lesson));
  const [text, setText] = useState(draft?.body ?? initial.body);
  const [state, setState] = useState<NoteState>('idle');
  const [conflict, setConflict] = useState<LessonNote | null>(null);
  // What saving needs is read when it runs, also while the page is left.
  const own = useRef({
    text,
    version: draft?.version ?? initial.version,
    stored: initial.body,
    isSaving: false,
  });

  const save = useCallback(
    async (isLeaving = false): Promise<void> => {
      const { current } = own;
      if (current.isSaving || current.text === current.stored) return;
      const sent = { body: current.text, version: current.version };
      current.isSaving = true;
      setState('saving');
      try {
        const stored = await saveNote(lesson, { learnerId: learner, ...sent }, isLeaving);
        Object.assign(current, { version: stored.version, stored: sent.body });
        setState('saved');
      } catch (problem) {
        if (!(problem instanceof ApiProblem)) throw problem;
        const newer = newerNote(problem);
        setConflict(newer);
        setState(newer ? 'idle' : stateOf(problem));
        return;
      } finally {
        current.isSaving = false;
      }
      if (current.text === sent.body) lessonDrafts.remove('note', learner, lesson);
      else await save();
    },
    [lesson, learner],
  );

  useEffect(() => {
    lessonDrafts.removeOld(learner);
    void save();
    return watchLeaving({ onOnline: () => void save(), onHide: () => void save(true) });
  }, [learner, save]);

  useEffect(() => {
    if (conflict || text === own.current.stored) return;
    const timer = setTimeout(() => void save(), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text, conflict, save]);

  function change(next: string) {
    own.current.text = next;
    setText(next);
    setState('idle');
    lessonDrafts.write('note', learner, lesson, { body: next, version: own.current.version });
  }

  /** `kept`: the one of two texts to keep. It replaces the newer note, of which the learner has seen the text. */
  function settle(kept: string) {
    if (!conflict) return;
    Object.assign(own.current, { version: conflict.version, stored: conflict.body });
    setConflict(null);
    change(kept);
    if (kept === conflict.body) lessonDrafts.remove('note', learner, lesson);
    void save();
  }

  return { text, state, conflict, change, settle, save };
}

function stateOf({ status }: ApiProblem): NoteState {
  if (status === 401) return 'signed-out';
  return status === 0 || status === 429 || status >= 500 ? 'waiting' : 'refused';
}
