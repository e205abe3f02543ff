import { LOCAL_KEYS } from '../storage/storageKeys';
import { readText, writeText } from '../storage/storedList';

export const SPEEDS = [0.75, 1, 1.25, 1.5, 1.75, 2];

/** How fast videos are played in this browser. */
export const videoSpeed = {
  get(): number {
    const speed = Number(readText(LOCAL_KEYS.videoSpeed));
    return SPEEDS.includes(speed) ? speed : 1;
  },

  set(speed: number): void {
    writeText(LOCAL_KEYS.videoSpeed, String(speed));
  },
};
