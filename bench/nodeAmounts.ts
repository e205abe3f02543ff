import { shopFormat } from '../components/fixtures/shopFormat';
import { formatOf } from '../components/format/format';

// Prints nanoseconds of an amount as pages write it, and as a kept object of Intl does, measured in turn.
const AMOUNTS = 200_000;
const ROUNDS = 9;
const site = shopFormat('en-US', 'USD');
const intl = new Intl.NumberFormat(site.locale, { style: 'currency', currency: 'USD' });

function nanoseconds(write: (minor: number) => string): number {
  const since = process.hrtime.bigint();
  for (let index = 0; index < AMOUNTS; index += 1) write(index * 37);
  return Number(process.hrtime.bigint() - since) / AMOUNTS;
}

const rounds = Array.from({ length: ROUNDS }, () => [
  nanoseconds(formatOf(site).money),
  nanoseconds((minor) => intl.format(minor / 100)),
]);
const medians = [0, 1].map((side) => {
  const sorted = rounds.map((round) => round[side] ?? 0).sort((one, other) => one - other);
  return sorted[Math.floor(ROUNDS / 2)];
});
process.stdout.write(JSON.stringify(medians));
