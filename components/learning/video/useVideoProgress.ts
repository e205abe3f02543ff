import { type SyntheticEvent, useEffect, useRef } from 'react';
import { beforeHide } from '../../browser/progress/beforeHide';
import { videoSpeed } from '../../browser/progress/videoSpeed';
import type { LessonRecord } from '../state/useLessonRecord';

type VideoProgress = {
  record: LessonRecord;
  onTime: (second: number) => void;
  onNearEnd: () => void;
  onResume: (second: number) => void;
};

type MediaEvent = SyntheticEvent<HTMLVideoElement>;

const EVERY_S = 15;
const DONE_SHARE = 0.9;
const NEAR_END_SHARE = 0.8;
const NEAR_END_S = 30;
// Whoever stopped in the last seconds begins again.
const REST_S = 5;

/** Keeps where a video was left and says when most of it was played: handlers for the player. */
export function useVideoProgress({ record, onTime, onNearEnd, onResume }: VideoProgress) {
  const { startPosition, savePosition } = record;
  const video = useRef<HTMLVideoElement>(null);
  const saved = useRef(startPosition);
  const isResumed = useRef(false);

  function save() {
    const at = Math.floor(video.current?.currentTime ?? 0);
    if (!isResumed.current || at === saved.current) return;
    saved.current = at;
    savePosition(at);
  }

  const saveNow = useRef(save);
  saveNow.current = save;
  useEffect(() => {
    const stop = beforeHide(() => saveNow.current());
    return () => {
      saveNow.current();
      stop();
    };
  }, []);

  function onLoadedMetadata({ currentTarget }: MediaEvent) {
    video.current = currentTarget;
    currentTarget.playbackRate = videoSpeed.get();
    const from = isResumed.current ? saved.current : startPosition;
    isResumed.current = true;
    if (from <= 0 || from > currentTarget.duration - REST_S) return;
    currentTarget.currentTime = from;
    onResume(from);
  }

  function onTimeUpdate({ currentTarget }: MediaEvent) {
    video.current = currentTarget;
    const { currentTime, duration } = currentTarget;
    onTime(Math.floor(currentTime));
    if (Math.abs(currentTime - saved.current) >= EVERY_S) save();
    if (currentTime >= duration * NEAR_END_SHARE || duration - currentTime <= NEAR_END_S) onNearEnd();
    finish(currentTarget);
  }

  /** 90 % played: what was played now, and before where it went on. */
  function finish(player: HTMLVideoElement) {
    if (record.isDone || playedSeconds(player.played, startPosition) < player.duration * DONE_SHARE) return;
    record.markDone(true);
  }

  const onEnded = (event: MediaEvent) => {
    finish(event.currentTarget);
    save();
  };
  return { onLoadedMetadata, onTimeUpdate, onPause: save, onSeeked: save, onEnded };
}

/** Seconds of the ranges together, and of the beginning up to `from`. */
export function playedSeconds(played: TimeRanges, from: number): number {
  let sum = from;
  for (let index = 0; index < played.length; index += 1)
    sum += Math.max(0, played.end(index) - Math.max(from, played.start(index)));
  return sum;
}
