// `node run.mjs ORIGIN WEBHOOK_PORT`: every case against the gateway at ORIGIN; the results as JSON, null or the error by name.
import { cards } from './cards.mjs';
import { close, listen } from './client.mjs';
import { errors } from './errors.mjs';
import { objects } from './objects.mjs';
import { webhooks } from './webhooks.mjs';

await listen();
const results = {};
for (const [name, run] of Object.entries({ ...objects, ...cards, ...errors, ...webhooks })) {
  try {
    await run();
    results[name] = null;
  } catch (error) {
    results[name] = String(error.stack ?? error);
  }
}
close();
process.stdout.write(JSON.stringify(results));
process.exit(0);
