// `node run.mjs` runs cases as lines of stdin name them, {origin, group, name} in JSON, and answers each with a line:
// {failure}, null when the case has passed. The first line that it writes has the names of all cases.
import { createInterface } from 'node:readline';
import { authenticators } from './authenticators.mjs';
import { authn } from './authn.mjs';
import { callAt, stopClients } from './client.mjs';
import { idx } from './idx.mjs';
import { myaccount } from './myaccount.mjs';
import { oauth } from './oauth.mjs';

const ALL = { authenticators, authn, idx, myaccount, oauth };
const names = Object.entries(ALL).flatMap(([of, cases]) => Object.keys(cases).map((one) => [of, one]));
const write = (value) => process.stdout.write(`${JSON.stringify(value)}\n`);

// The library warns of its memory in Node, which no client here uses.
console.warn = () => {};
// An error that nobody handles fails the case that is running.
let fail = () => {};
for (const event of ['uncaughtException', 'unhandledRejection']) process.on(event, (error) => fail(error));

async function failureOf({ origin, group, name }) {
  callAt(origin);
  const unhandled = new Promise((_, reject) => {
    fail = reject;
  });
  try {
    await Promise.race([ALL[group][name](), unhandled]);
    return null;
  } catch (error) {
    return error?.stack ?? String(error);
  } finally {
    // What a client still waits for (token services) is nobody's any more.
    await stopClients();
    fail = () => {};
  }
}

write(names);
for await (const line of createInterface({ input: process.stdin })) {
  write({ failure: await failureOf(JSON.parse(line)) });
}
process.exit(0);
