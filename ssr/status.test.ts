/** @jest-environment node */
import { LoopLag } from './status';

function lagAfter(ticksAt: number[]): number {
  let now = 0;
  const lag = new LoopLag(() => now);
  for (const at of ticksAt) {
    now = at;
    lag.tick();
  }
  return lag.longestMs();
}

const every100ms = (until: number) => Array.from({ length: until / 100 }, (_, index) => (index + 1) * 100);

test.each([
  ['nothing when every timer is on time', every100ms(500), 0],
  ['the delay of the latest timer', [100, 200, 550, 650], 250],
  [
    'a delay of the window before',
    [
      350,
      ...every100ms(10_500)
        .filter((at) => at > 400)
        .map((at) => at + 50),
    ],
    250,
  ],
  [
    'nothing of two windows ago',
    [
      350,
      ...every100ms(25_000)
        .filter((at) => at > 400)
        .map((at) => at + 50),
    ],
    0,
  ],
])('the lag is %s', (_name, ticksAt, expected) => {
  expect(lagAfter(ticksAt)).toBe(expected);
});
