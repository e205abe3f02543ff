export type Scale = { low: number; high: number; ticks: number[] };

/** The smallest distance of two ticks: a cent, one, a percent. */
const SMALLEST_STEP = 1;
const STEPS = [1, 2, 2.5, 5, 10];

/** A scale that holds the values and zero, with at most `maxTicks` round ticks. `zeroHeight`: of values all zero. */
export function niceScale(values: readonly number[], zeroHeight: number, maxTicks = 5): Scale {
  const low = Math.min(0, ...values);
  const range = Math.max(0, ...values) - low;
  const high = range === 0 ? zeroHeight : low + range;
  const step = niceStep((high - low) / (maxTicks - 1), low, high, maxTicks);
  const first = Math.floor(low / step);
  const last = Math.ceil(high / step);
  const ticks = Array.from({ length: last - first + 1 }, (_, place) => (first + place) * step);
  return { low: first * step, high: last * step, ticks };
}

/** 1, 2, 2.5 or 5 times a power of ten, the smallest that needs at most `maxTicks` ticks. */
function niceStep(smallest: number, low: number, high: number, maxTicks: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(smallest, SMALLEST_STEP)));
  const steps = [power, power * 10].flatMap((base) => STEPS.map((factor) => factor * base));
  const fits = (step: number) =>
    Number.isInteger(step) && Math.ceil(high / step) - Math.floor(low / step) < maxTicks;
  return steps.find(fits) ?? power * 100;
}
