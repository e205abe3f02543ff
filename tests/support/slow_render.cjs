// Loaded into SSR workers by NODE_OPTIONS: every render takes RENDER_MS longer, and its process and address go to RENDER_LOG.
const { appendFileSync } = require('node:fs');

const parse = JSON.parse;
const cell = new Int32Array(new SharedArrayBuffer(4));

JSON.parse = (text, reviver) => {
  const value = parse(text, reviver);
  if (value?.mode !== undefined && value.url !== undefined) {
    appendFileSync(process.env.RENDER_LOG, `${process.pid} ${value.url}\n`);
    // Blocks the thread as a render does, without taking a core from the host.
    Atomics.wait(cell, 0, 0, Number(process.env.RENDER_MS));
  }
  return value;
};
