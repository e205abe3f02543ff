import { act, fireEvent, render } from '@testing-library/react';
import { playedSeconds, useVideoProgress } from './useVideoProgress';

const ranges = (...pairs: [number, number][]): TimeRanges => ({
  length: pairs.length,
  start: (index) => pairs[index]?.[0] ?? 0,
  end: (index) => pairs[index]?.[1] ?? 0,
});

test.each([
  [ranges([0, 90]), 0, 90],
  [ranges([0, 10], [50, 60]), 0, 20],
  [ranges([40, 100]), 40, 100],
  [ranges([30, 50]), 40, 50],
])('what was played is the sum of its parts and what was played before, %#', (played, from, seconds) => {
  expect(playedSeconds(played, from)).toBe(seconds);
});

/** A player of 100 seconds. */
function player(startPosition = 0) {
  const events: string[] = [];
  const record = {
    isDone: false,
    startPosition,
    markDone: () => events.push('done'),
    savePosition: (at: number) => events.push(`at ${at}`),
  };
  function Video() {
    const handlers = useVideoProgress({
      record,
      onTime: () => undefined,
      onNearEnd: () => events.push('near end'),
      onResume: (at) => events.push(`resumed ${at}`),
    });
    return <video {...handlers} />;
  }
  const { container, unmount } = render(<Video />);
  const video = container.querySelector('video') as HTMLVideoElement;
  Object.defineProperty(video, 'duration', { value: 100 });
  const playTo = (second: number, from = startPosition) => {
    Object.defineProperty(video, 'played', { value: ranges([from, second]), configurable: true });
    video.currentTime = second;
    fireEvent.timeUpdate(video);
  };
  act(() => void fireEvent.loadedMetadata(video));
  return { video, events, playTo, unmount };
}

test('the position is kept every 15 seconds, on pause and when the page is left', () => {
  const { video, events, playTo, unmount } = player();
  for (const second of [5, 14, 15, 20]) playTo(second);
  fireEvent.pause(video);
  playTo(22);
  window.dispatchEvent(new Event('pagehide'));
  playTo(25);
  unmount();
  expect(events).toEqual(['at 15', 'at 20', 'at 22', 'at 25']);
});

test('it goes on where it was left, but not in the last seconds', () => {
  expect(player(40).events).toEqual(['resumed 40']);
  expect(player(97).events).toEqual([]);
});

test('90 percent played makes it done; seeking to the end does not', () => {
  const { video, events, playTo } = player();
  playTo(95, 94);
  fireEvent.ended(video);
  expect(events).not.toContain('done');
  playTo(90);
  expect(events).toContain('done');
  expect(events.indexOf('near end')).toBeLessThan(events.indexOf('done'));
});
