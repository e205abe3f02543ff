// `node run.mjs ORIGIN CASE`: one case against the provider at ORIGIN. Without a case: the names of all, as JSON.
import { authenticators } from './authenticators.mjs';
import { authn } from './authn.mjs';
import { idx } from './idx.mjs';
import { myaccount } from './myaccount.mjs';
import { oauth } from './oauth.mjs';

const ALL = { authenticators, authn, idx, myaccount, oauth };
const [, , , group, name] = process.argv;
// The library warns of its memory in Node, which no client here uses.
console.warn = () => {};
if (group === undefined) {
  process.stdout.write(
    JSON.stringify(Object.entries(ALL).flatMap(([of, cases]) => Object.keys(cases).map((one) => [of, one]))),
  );
} else {
  await ALL[group][name]();
  process.stdout.write('passed\n');
}
// What the library still waits for (token services) is nobody's any more.
process.exit(0);
